import type { Commit } from '../git/read-commits.js';
import { plural } from '../text.js';
import { parseSubject, type ConventionalCommit } from './conventional-commit.js';
import { escapeMarkdown } from './escape-markdown.js';
import type { Review } from './review.js';

/** A commit, and the revision by which it was asked for. */
export interface NamedCommit {
  readonly revision: string;
  readonly commit: string;
}

export interface NotesInput {
  readonly version: string | null;
  readonly from: NamedCommit;
  readonly to: NamedCommit;
  readonly commits: readonly Commit[];
  readonly review: Review;
}

/** Titles of the sections, in their order, with the commit types that belong there. */
const SECTIONS: readonly (readonly [string, readonly string[]])[] = [
  ['Features', ['feat']],
  ['Fixes', ['fix']],
  ['Performance', ['perf']],
  ['Reverted', ['revert']],
  ['Documentation', ['docs']],
  ['Maintenance', ['refactor', 'style', 'test', 'tests', 'build', 'ci', 'chore']],
];
const OTHER = 'Other changes';

interface Entry {
  readonly commit: Commit;
  readonly parsed: ConventionalCommit;
}

/** Release notes as Markdown, grouped by Conventional Commit type. The same input always gives the same text. */
export function releaseNotes({ version, from, to, commits, review }: NotesInput): string {
  const all = commits
    .filter(({ parents }) => parents.length < 2)
    .map((commit): Entry => ({ commit, parsed: parseSubject(commit.subject, commit.body) }));
  const entries = all.filter((entry) => !isExcluded(entry, review));
  const lines = [`# ${version === null ? 'Release notes' : `Release ${escapeMarkdown(version)}`}`, ''];
  lines.push(`${plural(entries.length, 'change')} from ${named(from)} to ${named(to)}.`, '');
  if (review.add.length > 0) lines.push(...review.add.map((text) => `- ${escapeMarkdown(text)}`), '');
  pushSection(
    lines,
    'Breaking changes',
    entries.filter(({ parsed }) => parsed.breaking),
  );
  const rest = entries.filter(({ parsed }) => !parsed.breaking);
  for (const [title, types] of SECTIONS) {
    pushSection(
      lines,
      title,
      rest.filter(({ parsed }) => parsed.type !== null && types.includes(parsed.type)),
    );
  }
  const known = new Set(SECTIONS.flatMap(([, types]) => types));
  pushSection(
    lines,
    OTHER,
    rest.filter(({ parsed }) => parsed.type === null || !known.has(parsed.type)),
  );
  return `${lines.join('\n').trimEnd()}\n`;
}

/** What a revision means changes with time (`HEAD`), so the commit stands beside it. Revisions hold no backticks. */
function named({ revision, commit }: NamedCommit): string {
  const short = commit.slice(0, 10);
  return commit.startsWith(revision) ? `\`${short}\`` : `\`${revision}\` (${short})`;
}

/** How many of the commits the reviewers have left out. */
export function countExcluded(commits: readonly Commit[], review: Review): number {
  return commits.filter((commit) => isExcluded({ commit, parsed: parseSubject(commit.subject, commit.body) }, review))
    .length;
}

function isExcluded({ commit, parsed }: Entry, { exclude }: Review): boolean {
  return exclude.some(({ kind, value }) => {
    if (kind === 'commit') return value.length >= 7 && commit.id.startsWith(value);
    return (kind === 'type' ? parsed.type : parsed.scope?.toLowerCase()) === value;
  });
}

function pushSection(lines: string[], title: string, entries: readonly Entry[]): void {
  if (entries.length === 0) return;
  lines.push(`## ${title}`, '', ...entries.map(toLine), '');
}

function toLine({ commit, parsed }: Entry): string {
  const scope = parsed.scope === null ? '' : `**${escapeMarkdown(parsed.scope, 100)}:** `;
  return `- ${scope}${escapeMarkdown(parsed.description)} (${commit.id.slice(0, 10)})`;
}
