import fc from "fast-check";
import { expect, test } from "vitest";
import { moveTo } from "../../../../src/emulator/modules/option-lists/option-list.ts";

test("Position rules 1 and 3: the item moves to its position or the nearest end, the others keep their order", () => {
  const list = fc.uniqueArray(fc.nat(), { minLength: 1 });
  fc.assert(
    fc.property(list, fc.nat(), fc.integer(), (items, pick, position) => {
      const item = items[pick % items.length] ?? 0;
      const placed = moveTo(items, item, position);
      const others = items.filter((other) => other !== item);
      expect(placed.filter((other) => other !== item)).toEqual(others);
      expect(placed.indexOf(item)).toBe(Math.min(Math.max(position, 1), items.length) - 1);
    }),
  );
});
