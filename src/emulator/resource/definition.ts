/** The definition of a resource. */

import type { Fields } from "../../core/json.ts";
import type { ErrorStatus } from "../http/http-error.ts";
import type { ValueSchema } from "../http/value-schema.ts";
import type { ReplicaLoad } from "../service/live-rows.ts";
import type { RequestContext, ResponseScope } from "../service/module.ts";
import type { Ability, PermissionAction } from "../service/permissions.ts";
import type { Table } from "../store/table.ts";
import type { BodyOf, ComputedOf, InputOf, ResourceFields, RowOf } from "./field.ts";

/** An operation of a resource. */
export type ResourceOperation = "list" | "create" | "get" | "update" | "delete";

/** A request with a body of the resource's fields. */
export type ResourceRequest<F extends ResourceFields> = RequestContext<BodyOf<F>>;

/** A resource. Functions state only the rules that are more than a fact. */
export interface ResourceDefinition<F extends ResourceFields> {
  /** The name of its schema, from which the names of operations and members follow: `AlertSource`. */
  readonly title: string;
  /** The path below /api/v1. Its last part is the key of the list. */
  readonly path: string;
  /** The name of one in messages and in the wrapped envelope, if it is not the title's: `entry`. */
  readonly member?: string;
  /** The resource of the abilities that requests need. */
  readonly ability: Ability extends `${infer Resource}.${PermissionAction}` ? Resource : never;
  readonly fields: F;
  readonly table: Table<RowOf<F>>;
  /** The field in the path that addresses one. */
  readonly address: string;
  /** The order of the list, in SQL; that of creation if absent. */
  readonly order?: string;
  /** A sentence for each operation that it has. */
  readonly summaries: { readonly [Name in ResourceOperation]?: string };
  /** Statuses of errors besides those that follow from the operation. */
  readonly errors?: { readonly [Name in ResourceOperation]?: readonly ErrorStatus[] };
  /** Query parameters of the list. */
  readonly query?: { readonly [name: string]: ValueSchema };
  /** Properties that only the response to a creation has, and the title of its schema. */
  readonly created?: {
    readonly title: string;
    readonly properties: { readonly [name: string]: ValueSchema };
    compute(request: ResponseScope, row: RowOf<F>): Fields;
  };

  /** Rows of the list; all, in `order`, if absent. */
  rows?(request: RequestContext<unknown>): readonly RowOf<F>[];
  /** The row that the path addresses. Throws 404. */
  find?(request: RequestContext<unknown>): RowOf<F>;
  /** Readings of inputs that are no word of `ResourceField.reading`. undefined leaves the value as it is. */
  readonly read?: {
    readonly [Name in keyof F & keyof RowOf<F>]?: (
      input: NonNullable<InputOf<F[Name]>>,
      request: ResourceRequest<F>,
    ) => RowOf<F>[Name] | undefined;
  };
  /** Further values of a new row, such as its slug. */
  complete?(request: ResourceRequest<F>, values: Partial<RowOf<F>>): Partial<RowOf<F>>;
  /** The row as it is stored. `before` is undefined for a new one. Throws for a row that breaks a rule. */
  check?(request: ResourceRequest<F>, row: RowOf<F>, before: RowOf<F> | undefined): RowOf<F>;
  /** Writes what follows from the row in other rows and tables. */
  afterWrite?(request: ResourceRequest<F>, row: RowOf<F>, before: RowOf<F> | undefined): void;
  /** Throws if the row cannot be deleted. */
  protect?(request: RequestContext<unknown>, row: RowOf<F>): void;
  /** Removes what the row owned in other tables. */
  afterRemove?(request: RequestContext<unknown>, row: RowOf<F>): void;
  /** The properties of a response that are no columns. */
  compute?(scope: ResponseScope, row: RowOf<F>): ComputedOf<F>;
  /** Values of a replica's row that its fields alone do not give. */
  computeLive?(load: ReplicaLoad, live: Fields, index: number, count: number): Partial<RowOf<F>>;
  /** Loads what the row of a replica owns in other tables. */
  loadParts?(load: ReplicaLoad, live: Fields, row: RowOf<F>): void;
}
