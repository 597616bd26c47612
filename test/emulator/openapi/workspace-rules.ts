/** The rules that a schema cannot decide: for each, the reason that the service gives, and the sentence that it is. */

/** A rule on what the workspace holds, or on a part of the body that JSON Schema cannot compare with another one. */
interface WorkspaceRule {
  readonly rule: string;
  readonly reason: RegExp;
}

/** The rules, in the order of docs/emulator.md, which lists them. */
export const workspaceRules: readonly WorkspaceRule[] = [
  { rule: "A slug or a name is taken", reason: /has already been taken$|is already used by another / },
  { rule: "A name leaves no slug", reason: /^slug (?:can't be blank|may hold a to z, digits and _ only)$/ },
  {
    rule: "A default, a last, or a built-in resource is protected",
    reason:
      /is the default and cannot be disabled\.|is the only enabled status in|is built in and cannot be (?:changed|disabled)\.$|belongs to a built-in type/,
  },
  {
    rule: "A disabled resource, or a status of another stage, cannot become the default",
    reason: /is disabled and cannot be the default\.$|status can be the default\.$/,
  },
  {
    rule: "A resource that the body names does not exist, or is disabled",
    reason:
      /(?: must exist|is [^"]*, which is disabled)$|is no (?:severity|incident type|choice of|custom field)|names an unknown custom field|which is no catalog type$|environments has no entry/,
  },
  {
    rule: "A custom field's type, option source, catalog type and options fit each other",
    reason:
      /^option_source of a \w+ must be|^catalog_type can't be blank$|^options (?:can't be empty|are for fixed options only)|^options ".*" is there twice$/,
  },
  {
    rule: "An attribute fits its type, which never changes",
    reason:
      /^attributes\[\d+\] (?:needs an attribute_type|needs options|needs a reference_type|cannot have the role)|cannot point into another type\.$/,
  },
  {
    rule: "Two parts of a list have one name, or one role",
    reason: /^(?:attributes\[\d+\]|inputs) ".*" is there twice$|the role \w+ is there twice$/,
  },
  { rule: "Values of an entry fit the attributes of its type", reason: /^attributes\./ },
  { rule: "What is in use stays", reason: /is in use by / },
  {
    rule: "A form has the field, and the condition can read it",
    reason: /^system_field of the \w+ form is one of|reads ".*", which (?:is on none of the forms|has no choices)/,
  },
  {
    rule: "Severity and Status are always asked for",
    reason: /cannot be hidden$|cannot be made optional$|is always asked for and cannot have conditions$/,
  },
  {
    rule: "Answers fit the declare form",
    reason:
      /is not a field of the declare form$|takes one choice$|must be (?:one of|text|a number|an http)|^\w+ can't be blank$/,
  },
  {
    rule: "The lifecycle of an incident, its lead and its postmortem",
    reason: /^The incident |cannot be left without one|linked to itself|has taken this step already/,
  },
  { rule: "A placeholder of the watch names an input", reason: /^watch has \{\{/ },
  { rule: "A time is in the future", reason: /^expires_at must be in the future$/ },
  { rule: "No routing rules are in force", reason: /^No routing rules are in force/ },
  { rule: "A source sends at most 60 alerts a minute", reason: /^More than 60 alerts/ },
];
