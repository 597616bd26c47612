/** What an endpoint of the control surface is. */

import type { Fields } from "../../core/json.ts";
import type { BodyShape, ValueOf } from "../http/body-schema.ts";
import type { Answer, Method } from "../rooms/room.ts";
import type { Control } from "./control.ts";

/** One request to the control surface, its key accepted and its body checked. */
export interface ControlCall<Body> {
  readonly control: Control;
  readonly body: Body;
  /** A parameter of the path, such as `id`. */
  param(name: string): string;
}

/** One endpoint below /control. */
export interface ControlRoute {
  readonly method: Method | "PUT";
  /** The path below /control, parameters as `:name`. */
  readonly path: string;
  readonly body?: BodyShape;
  /** Not in a transaction. A thrown Refusal is answered with its error object. */
  handle(call: ControlCall<unknown>): Answer;
}

/** A control route whose handler's body has the type of the shape it declares. */
export function controlRoute<const S extends BodyShape>(
  definition: Omit<ControlRoute, "handle" | "body"> & {
    readonly body?: S;
    handle(call: ControlCall<ValueOf<S>>): Answer;
  },
): ControlRoute {
  return { ...definition, handle: (call) => definition.handle(call as ControlCall<ValueOf<S>>) };
}

/** 200 with a list under its name. */
export function listing(name: string, items: readonly object[]): Answer {
  // What the control surface lists is made of JSON values; their types are interfaces.
  return { status: 200, body: { [name]: items as readonly Fields[] } };
}
