import type { Results } from './run-all.js';
import type { CaseResult, Verdict } from './verdict.js';

/** Number of cases by verdict. */
export interface Score {
  readonly cases: number;
  readonly right: number;
  readonly refused: number;
  readonly wrong: number;
}

export function scoreOf(results: readonly CaseResult[]): Score {
  const of = (verdict: Verdict): number => results.filter((result) => result.verdict === verdict).length;
  return { cases: results.length, right: of('right'), refused: of('refused'), wrong: of('wrong') };
}

interface Row extends Score {
  readonly title: string;
}

/** Formats the score by group and tier, and in total, as a table for a terminal. */
export function formatScore({ traced, steps, constraints, exchanged }: Results): string {
  const rows: Row[] = [
    ...rowsOf('cases', traced),
    ...rowsOf('steps', steps),
    { title: 'constraints: models that break a rule', ...scoreOf(constraints) },
    { title: 'miwg: models of other tools', ...scoreOf(exchanged) },
  ];
  const width = Math.max(...rows.map(({ title }) => title.length));
  const line = (title: string, ...cells: readonly (string | number)[]): string =>
    [title.padEnd(width), ...cells.map((cell) => String(cell).padStart(8))].join('');
  return [
    line('', 'cases', 'right', 'refused', 'wrong'),
    ...rows.map(({ title, cases, right, refused, wrong }) => line(title, cases, right, refused, wrong)),
  ].join('\n');
}

function rowsOf(set: string, results: readonly CaseResult[]): Row[] {
  const by = (name: string, keyOf: (result: CaseResult) => string): Row[] =>
    [...new Set(results.map(keyOf))].sort().map((key) => ({
      title: `${set}: ${key}${name}`,
      ...scoreOf(results.filter((result) => keyOf(result) === key)),
    }));
  return [...by('', ({ group, tier }) => `${group}, ${tier}`), ...by(' in all', ({ tier }) => tier)];
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
