/** Principals: the people, agents and service keys whose tokens requests carry. */

/** The kind of a principal: a member of the workspace, an agent, or a service key. */
export type PrincipalKind = (typeof principalKinds)[number];

/** Every kind of principal. */
export const principalKinds = ["user", "agent", "api_key"] as const;

/** The principal of a request. */
export interface Principal {
  readonly kind: PrincipalKind;
  readonly id: string;
  readonly name: string;
  /** Null for machines. */
  readonly email: string | null;
  /** True for a person with every permission. */
  readonly admin: boolean;
  /** The token's id, by which requests are counted. */
  readonly token_id: string;
}
