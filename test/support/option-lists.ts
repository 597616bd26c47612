/** The lists whose resources have places, and which differ in few fields: what holds for one of them holds for all. */
export const OPTION_LISTS = ["severities", "statuses", "incident_types", "incident_roles"] as const;
