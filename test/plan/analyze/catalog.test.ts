import type { Fields } from "../../../src/core/json.ts";
import { tables } from "./analyzed.ts";

tables("A015", [
  ["values that a default workspace allows", service({ tier: "Critical", description: "x", owner_team: "data" }), []],
  [
    "an attribute that a default workspace does not have",
    service({ teir: "Critical" }),
    [
      'warning catalog_types/service/entries/web: catalog_types/service/entries/web: the catalog type service has no attribute "teir"',
    ],
  ],
  [
    "a value that is not an option",
    service({ tier: "1" }),
    [
      'warning catalog_types/service/entries/web: catalog_types/service/entries/web: the attribute "tier" cannot be "1"',
    ],
  ],
  [
    "a value of another type",
    service({ description: 5 }),
    [
      'warning catalog_types/service/entries/web: catalog_types/service/entries/web: the attribute "description" of type text must be a text',
    ],
  ],
  [
    "a reference to a team that the files do not have",
    service({ owner_team: "datas" }),
    [
      'warning catalog_types/service/entries/web: catalog_types/service/entries/web: there is no catalog entry "datas" of team',
    ],
  ],
  [
    "a reference to a team, where the files do not manage teams",
    { catalog_types: [{ slug: "service", entries: [{ slug: "web", name: "Web", attributes: { owner_team: "x" } }] }] },
    [],
  ],
  [
    "an attribute that the files declare, which is an error instead",
    service({ tier: "1" }, { attributes: [{ name: "Tier", attribute_type: "number" }] }),
    [],
  ],
  ["a type of the files", { catalog_types: [{ slug: "rail", entries: [{ slug: "a", attributes: { x: 1 } }] }] }, []],
  ["a workspace whose types were read", service({ teir: "1" }), [], { live: { catalog_types: [] } }],
]);

function service(attributes: Fields, more: Fields = {}): Fields {
  return {
    catalog_types: [
      { slug: "team", entries: [{ slug: "data", name: "Data" }] },
      { slug: "service", ...more, entries: [{ slug: "web", name: "Web", attributes }] },
    ],
  };
}
