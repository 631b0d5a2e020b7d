import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { OTHER_ENGINES } from './other-engines.js';
import type { Results } from './run-all.js';
import { countScore } from './score.js';
import type { CaseResult } from './verdict.js';

const FILE = fileURLToPath(new URL('../../../docs/conformance.md', import.meta.url));
const BEGIN = '<!-- conformance: written by `npm run conformance -- --write` -->';
const END = '<!-- /conformance -->';

/** Returns the score next to the scores of other engines, as a Markdown table. */
export function buildConformanceTable({ traced, steps, constraints }: Omit<Results, 'exchanged'>): string {
  const core = countScore(filterByTier(traced, 'core'));
  const scores = {
    core,
    rare: countScore(filterByTier(traced, 'rare')),
    interpretation: countScore(filterByTier(traced, 'interpretation')),
    steps: countScore(filterByTier(steps, 'core')),
  };
  const confirmedCount = constraints.filter(({ verdict }) => verdict !== 'wrong').length;
  const rows: readonly (readonly string[])[] = [
    ['', 'cases', '**Countersign**', ...OTHER_ENGINES.map(({ name }) => name)],
    ['---', ...Array.from({ length: OTHER_ENGINES.length + 2 }, () => '---:')],
    ['core', `${core.cases}`, `**${core.right}**`, ...OTHER_ENGINES.map((engine) => `${engine.core}`)],
    [
      'core, not correct: refused / executed incorrectly',
      '',
      `**${core.refused} / ${core.wrong}**`,
      ...OTHER_ENGINES.map(({ refused, wrong }) => `${refused} / ${wrong}`),
    ],
    ...(['rare', 'interpretation'] as const).map((tier) => [
      tier,
      `${scores[tier].cases}`,
      `**${scores[tier].right}**`,
      ...OTHER_ENGINES.map((engine) => `${engine[tier]}`),
    ]),
    [
      'step by step, core',
      `${scores.steps.cases}`,
      `**${scores.steps.right}**`,
      ...OTHER_ENGINES.map((engine) => `${engine.steps}`),
    ],
    [
      'models that break a rule: refused or flagged',
      `${constraints.length}`,
      `**${confirmedCount}**`,
      ...OTHER_ENGINES.map(() => ''),
    ],
  ];
  return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/**
 * Updates the table in docs/conformance.md.
 *
 * @throws {Error} if the page lacks a marker comment
 */
export async function writeConformancePage(results: Results): Promise<void> {
  const text = await readFile(FILE, 'utf8');
  await writeFile(FILE, replaceMarkedSection(text, buildConformanceTable(results)));
}

/**
 * Replaces the marked section of a page.
 *
 * @throws {Error} if the page lacks a marker comment
 */
export function replaceMarkedSection(text: string, content: string): string {
  const [beginIndex, endIndex] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (beginIndex === -1 || endIndex < beginIndex)
    throw new Error(
      `docs/conformance.md lacks the marker comments for the table. Add these two lines:\n${BEGIN}\n${END}`,
    );
  return `${text.slice(0, beginIndex)}${BEGIN}\n\n${content}\n\n${text.slice(endIndex)}`;
}

function filterByTier(results: readonly CaseResult[], tier: CaseResult['tier']): CaseResult[] {
  return results.filter((result) => result.tier === tier);
}
