/** The definition of a resource. */

import type { Fields } from "../../core/json.ts";
import type { ErrorStatus } from "../http/http-error.ts";
import type { ValueSchema } from "../http/value-schema.ts";
import type { ReplicaLoad } from "../service/live-rows.ts";
import type { RequestContext, ResponseScope } from "../service/module.ts";
import type { ResourceInPermissionsTs } from "../service/permissions.ts";
import type { ServiceContext } from "../service/service-context.ts";
import type { Table } from "../store/table.ts";
import type { BodyOf, ComputedOf, ComputedProperties, InputOf, RequestKind, ResourceFields, RowOf } from "./field.ts";
import type { BodyRules, ResourceSchema } from "./schemas.ts";

export type ResourceOperation = "list" | "create" | "get" | "update" | "delete";

/** A request with a body of the resource's fields. */
export type ResourceRequest<F extends ResourceFields> = RequestContext<BodyOf<F>>;

/** The fields of a resource, and the rules of writing its rows that are more than a fact. */
export interface RowRules<F extends ResourceFields> {
  readonly fields: F;
  readonly table: Table<RowOf<F>>;
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
  /** The creation and the change of a row, where these are not field by field. */
  createRow?(request: ResourceRequest<F>): RowOf<F>;
  updateRow?(request: ResourceRequest<F>, before: RowOf<F>): RowOf<F>;
  /** Throws if the row cannot be deleted. */
  protect?(request: ResourceRequest<F>, row: RowOf<F>): void;
  /** Removes what the row owned in other tables. */
  afterRemove?(service: ServiceContext, row: RowOf<F>): void;
}

/** A resource. Functions state only the rules that are more than a fact. */
export interface ResourceDefinition<F extends ResourceFields, C extends ComputedProperties> extends RowRules<F> {
  /** The name of its schema, from which the names of operations and members follow: `AlertSource`. */
  readonly title: string;
  /** The path below /api/v1. Its last part is the key of the list. */
  readonly path: string;
  /** The path of creations, if it is another one. */
  readonly creationPath?: string;
  /** The name of one in messages and in the wrapped envelope, if it is not the title's: `entry`. */
  readonly member?: string;
  /** The resource of the abilities that requests need. */
  readonly ability: ResourceInPermissionsTs;
  /** The field in the path that addresses one. */
  readonly address: string;
  /** The order of the list, in SQL; that of creation if absent. */
  readonly order?: string;
  /** A sentence for each operation that it has. */
  readonly summaries: { readonly [Name in ResourceOperation]?: string };
  /** Statuses of errors besides those that follow from the operation. */
  readonly errors?: { readonly [Name in ResourceOperation]?: readonly ErrorStatus[] };
  /** Rules between the members of bodies. */
  readonly bodyRules?: { readonly [Kind in RequestKind]?: BodyRules };
  /** Query parameters of the list. */
  readonly query?: { readonly [name: string]: ValueSchema };
  /** Whether the list omits disabled ones in the dialect `disabled=all`, unless it is asked for them. */
  readonly listsDisabledOnRequest?: true;
  /** Query parameters of every operation. */
  readonly scopeQuery?: { readonly [name: string]: ValueSchema };
  /** Whether a response has one under its name in every dialect. */
  readonly isWrapped?: true;
  /** The title of the schema of those in the list, and the properties that these have in the dialect `readable=full` only. */
  readonly inList?: Pick<ResourceSchema, "title" | "fullOnly">;
  /** Properties that only the response to a creation has, and the title of its schema. */
  readonly created?: {
    readonly title: string;
    readonly properties: { readonly [name: string]: ValueSchema };
    compute(request: ResponseScope, row: RowOf<F>): Fields;
  };

  /** The values of rows that are part of the workspace; all are if absent. */
  readonly listed?: Partial<RowOf<F>>;
  /** Rows of the list; all, in `order`, if absent. */
  rows?(request: ResourceRequest<F>): readonly RowOf<F>[];
  /** The row that the path addresses. Throws 404. */
  find?(request: ResourceRequest<F>): RowOf<F>;
  /** The row that a creation changes instead of adding another one. */
  existing?(request: ResourceRequest<F>): RowOf<F> | undefined;
  /** Further properties of a response, after the fields. A function makes their values. */
  readonly computed?: C;
  compute?(scope: ResponseScope, row: RowOf<F>): ComputedOf<C>;
  /** Values of a replica's row that its fields alone do not give. */
  computeLive?(load: ReplicaLoad, live: Fields, index: number, count: number): Partial<RowOf<F>>;
  /** Loads what the row of a replica owns in other tables. */
  loadParts?(load: ReplicaLoad, live: Fields, row: RowOf<F>): void;
}
