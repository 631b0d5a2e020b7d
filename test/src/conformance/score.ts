import type { Results } from './run-all.js';
import type { CaseResult, Verdict } from './verdict.js';

/** Number of cases by verdict. */
export interface Score {
  readonly cases: number;
  readonly right: number;
  readonly refused: number;
  readonly wrong: number;
}

export function countScore(results: readonly CaseResult[]): Score {
  const countVerdict = (verdict: Verdict): number => results.filter((result) => result.verdict === verdict).length;
  return {
    cases: results.length,
    right: countVerdict('right'),
    refused: countVerdict('refused'),
    wrong: countVerdict('wrong'),
  };
}

interface Row extends Score {
  readonly title: string;
}

/** Formats the score by group and tier, and in total, as a table for a terminal. */
export function formatScore({ traced, steps, constraints, exchanged }: Results): string {
  const rows: Row[] = [
    ...buildRows('cases', traced),
    ...buildRows('steps', steps),
    { title: 'constraints: models that break a rule', ...countScore(constraints) },
    { title: 'miwg: models of other tools', ...countScore(exchanged) },
  ];
  const width = Math.max(...rows.map(({ title }) => title.length));
  const line = (title: string, ...cells: readonly (string | number)[]): string =>
    [title.padEnd(width), ...cells.map((cell) => String(cell).padStart(8))].join('');
  return [
    line('', 'cases', 'right', 'refused', 'wrong'),
    ...rows.map(({ title, cases, right, refused, wrong }) => line(title, cases, right, refused, wrong)),
  ].join('\n');
}

function buildRows(set: string, results: readonly CaseResult[]): Row[] {
  const groupedRows = (suffix: string, getKey: (result: CaseResult) => string): Row[] =>
    [...new Set(results.map(getKey))].sort().map((key) => ({
      title: `${set}: ${key}${suffix}`,
      ...countScore(results.filter((result) => getKey(result) === key)),
    }));
  return [
    ...groupedRows('', ({ group, tier }) => `${group}, ${tier}`),
    ...groupedRows(' in total', ({ tier }) => tier),
  ];
}

/** Formats every case that is not right, with its differences or reasons. */
export function formatDetails(results: Results): string {
  const all = [
    ...results.traced,
    ...results.steps,
    ...results.constraints.filter(({ verdict }) => verdict === 'wrong'),
    ...results.exchanged,
  ];
  return all
    .filter(({ verdict }) => verdict !== 'right')
    .map(({ id, tier, verdict, details }) =>
      [`${id} (${tier}): ${verdict}`, ...details.map((detail) => `  ${detail}`)].join('\n'),
    )
    .join('\n');
}
