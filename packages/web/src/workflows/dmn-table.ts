/** Decision table of a DMN decision, with its cells as text. */
export interface DmnTable {
  readonly hitPolicy: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly rules: readonly {
    readonly tests: readonly string[];
    readonly results: readonly string[];
    readonly note: string;
  }[];
}

/** Reads the table of a DMN decision; `undefined` if it has none (a literal expression) or the file is unreadable. */
export function readDmnTable(xml: string, decisionId: string): DmnTable | undefined {
  const xmlDocument = new DOMParser().parseFromString(xml, 'application/xml');
  const decision = [...xmlDocument.getElementsByTagNameNS('*', 'decision')].find(
    (each) => each.getAttribute('id') === decisionId,
  );
  const table = decision === undefined ? undefined : findChildren(decision, 'decisionTable')[0];
  if (table === undefined) return undefined;
  return {
    hitPolicy: [table.getAttribute('hitPolicy') ?? 'UNIQUE', table.getAttribute('aggregation')]
      .filter((each) => each !== null)
      .join(' '),
    inputs: findChildren(table, 'input').map(
      (input) => input.getAttribute('label') ?? findChildren(input, 'inputExpression').map(readText)[0] ?? '',
    ),
    outputs: findChildren(table, 'output').map(
      (output) => output.getAttribute('label') ?? output.getAttribute('name') ?? '',
    ),
    rules: findChildren(table, 'rule').map((rule) => ({
      tests: findChildren(rule, 'inputEntry').map(readText),
      results: findChildren(rule, 'outputEntry').map(readText),
      note: findChildren(rule, 'description').map((each) => each.textContent ?? '')[0] ?? '',
    })),
  };
}

function findChildren(parent: Element, name: string): Element[] {
  return [...parent.children].filter(({ localName }) => localName === name);
}

function readText(parent: Element): string {
  return findChildren(parent, 'text')[0]?.textContent?.trim() ?? '';
}
