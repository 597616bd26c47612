/** Plain data: values that a structured clone gives back whole, and that nothing changes later. */

/** The places of a value that are not plain data: getters, functions, symbols and objects of classes. Empty if it is plain. */
export function notPlain(value: unknown, at = "", seen: Set<object> = new Set()): readonly string[] {
  if (typeof value === "function" || typeof value === "symbol") return [`${at}: ${typeof value}`];
  if (typeof value !== "object" || value === null || seen.has(value)) return [];
  seen.add(value);
  if (value instanceof Map || value instanceof Set) {
    return [...value].flatMap((item, index) => notPlain(item, `${at}/${index}`, seen));
  }
  const own = isPlainObject(value) ? [] : [`${at}: ${value.constructor.name}`];
  const members = Object.entries(Object.getOwnPropertyDescriptors(value)).filter(
    ([name]) => !(Array.isArray(value) && name === "length"),
  );
  return own.concat(
    members.flatMap(([name, { get, value: member, enumerable }]) => {
      if (get !== undefined) return [`${at}/${name}: getter`];
      return enumerable === true ? notPlain(member, `${at}/${name}`, seen) : [`${at}/${name}: hidden`];
    }),
  );
}

function isPlainObject(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Objects without a prototype, and those of `bare`, inherit nothing.
  return prototype === Object.prototype || prototype === null || isEmptyRoot(prototype);
}

function isEmptyRoot(prototype: unknown): boolean {
  return (
    typeof prototype === "object" &&
    prototype !== null &&
    Object.getPrototypeOf(prototype) === null &&
    Reflect.ownKeys(prototype).length === 0
  );
}

/** Freezes a value and all that it holds, so that every later change throws. Returns it. */
export function deepFrozen<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  const parts = value instanceof Map || value instanceof Set ? [...value].flat() : Object.values(value);
  for (const part of parts) deepFrozen(part);
  return value;
}
