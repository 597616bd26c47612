/** The pipeline of GitLab as a file of its own, from the component that has its jobs. */

/** The jobs of a component, with the default of each input. */
export function pipelineOf(component: string): string {
  const [header = "", body = ""] = component.split(/^---\n/m);
  const inputs = [...header.matchAll(/^ {4}(\w+): \{.*?\bdefault: (\[.*?\]|'.*?'|".*?")/gm)];
  const defaults = new Map(inputs.map(([, name = "", value = ""]) => [name, value.replace(/^(["'])(.*)\1$/, "$2")]));
  // GitLab puts lists in place of a whole text, which is in double quotes for that.
  return body.replaceAll(/"?\$\[\[ inputs\.(\w+) \]\]"?/g, (text, name: string) => defaults.get(name) ?? text);
}
