/** Attributes of a catalog type, checked as the service checks them. */

import { type Fields, isList, objectsIn } from "../../core/json.ts";
import type { Rejection } from "../model/kind.ts";

/** The attribute types that a role can have. */
export const ROLE_TYPES: Readonly<Record<string, readonly string[]>> = {
  members: ["workspace_member", "workspace_members"],
  manager: ["workspace_member"],
  notification_channel: ["slack_channel"],
  repository: ["text"],
};

const DESCRIPTION: Fields = { name: "Description", attribute_type: "text" };
const CHANNEL: Fields = { name: "Slack channel", attribute_type: "slack_channel" };
const OWNER_TEAM: Fields = { name: "Owner team", attribute_type: "reference", reference_type: "team" };

/** The built-in types of a default workspace (wire facts, section 6). A workspace may have changed them. */
export const BUILT_IN_TYPES: Readonly<Record<string, Fields>> = {
  team: {
    attributes: [
      DESCRIPTION,
      CHANNEL,
      { name: "Manager", attribute_type: "workspace_member" },
      { name: "Members", attribute_type: "workspace_members" },
    ],
  },
  service: {
    attributes: [
      DESCRIPTION,
      OWNER_TEAM,
      { name: "Tier", attribute_type: "select", options: ["Critical", "Standard", "Internal"] },
      { name: "Repository", attribute_type: "text" },
      CHANNEL,
    ],
  },
  environment: {
    attributes: [
      DESCRIPTION,
      { name: "Is production", attribute_type: "boolean" },
      { name: "Region", attribute_type: "text" },
    ],
  },
  functionality: { attributes: [DESCRIPTION, OWNER_TEAM] },
};

/** Attributes that the service would refuse. `declared` has the live members that the files omit. */
export function rejectedAttributes(declared: Fields): readonly Rejection[] {
  const attributes = objectsIn(declared.attributes);
  const roles = attributes.map(({ role }) => role);
  return attributes.flatMap((attribute, index): readonly Rejection[] => {
    const { name, attribute_type: type, role } = attribute;
    const field = `attributes/${index}`;
    const lack = missingMember(attribute);
    const types = ROLE_TYPES[String(role)];
    const other = role === undefined ? -1 : roles.lastIndexOf(role);
    return [
      ...(lack === undefined ? [] : [{ field, code: "E_ATTRIBUTE", message: `the attribute "${name}" needs ${lack}` }]),
      ...(types === undefined || type === undefined || types.includes(String(type))
        ? []
        : [
            {
              field: `${field}/role`,
              code: "E_ROLE",
              message: `the attribute "${name}" of type ${type} cannot have the role "${role}"`,
              help: `The role needs the type ${types.join(" or ")}.`,
            },
          ]),
      ...(other <= index
        ? []
        : [
            {
              field: `${field}/role`,
              code: "E_DUP",
              message: `the attribute "${attributes[other]?.name}" has the role "${role}" too`,
              help: "Give the role to one of the two. An attribute that entries have values of goes last: take its role away in an apply before.",
            },
          ]),
    ];
  });
}

/** The member without which the service refuses a new attribute. */
function missingMember({ attribute_type: type, options, reference_type }: Fields): string | undefined {
  if (type === undefined) return "an attribute_type";
  if (type === "select" && !isList(options)) return "options";
  return type === "reference" && reference_type === undefined ? "a reference_type" : undefined;
}
