/** Decision table as text. */
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
  const file = new DOMParser().parseFromString(xml, 'application/xml');
  const decision = [...file.getElementsByTagNameNS('*', 'decision')].find(
    (each) => each.getAttribute('id') === decisionId,
  );
  const table = decision === undefined ? undefined : named(decision, 'decisionTable')[0];
  if (table === undefined) return undefined;
  return {
    hitPolicy: [table.getAttribute('hitPolicy') ?? 'UNIQUE', table.getAttribute('aggregation')]
      .filter((each) => each !== null)
      .join(' '),
    inputs: named(table, 'input').map(
      (input) => input.getAttribute('label') ?? named(input, 'inputExpression').map(textOf)[0] ?? '',
    ),
    outputs: named(table, 'output').map((output) => output.getAttribute('label') ?? output.getAttribute('name') ?? ''),
    rules: named(table, 'rule').map((rule) => ({
      tests: named(rule, 'inputEntry').map(textOf),
      results: named(rule, 'outputEntry').map(textOf),
      note: named(rule, 'description').map((each) => each.textContent ?? '')[0] ?? '',
    })),
  };
}

function named(parent: Element, name: string): Element[] {
  return [...parent.children].filter(({ localName }) => localName === name);
}

function textOf(parent: Element): string {
  return named(parent, 'text')[0]?.textContent?.trim() ?? '';
}
