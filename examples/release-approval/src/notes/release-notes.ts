import type { Commit } from '../git/read-commits.js';
import { pluralize } from '../text.js';
import { parseConventionalCommit, type ConventionalCommit } from './conventional-commit.js';
import { escapeMarkdown } from './escape-markdown.js';
import type { Review } from './review.js';

/** A revision as entered, and the commit to which it was resolved. */
export interface ResolvedRevision {
  readonly revision: string;
  readonly commit: string;
}

export interface NotesInput {
  readonly version: string | null;
  readonly from: ResolvedRevision;
  readonly to: ResolvedRevision;
  readonly commits: readonly Commit[];
  readonly review: Review;
}

/** Section titles in display order, each with the commit types of the section. */
const SECTIONS: readonly (readonly [string, readonly string[]])[] = [
  ['Features', ['feat']],
  ['Fixes', ['fix']],
  ['Performance', ['perf']],
  ['Reverted', ['revert']],
  ['Documentation', ['docs']],
  ['Maintenance', ['refactor', 'style', 'test', 'tests', 'build', 'ci', 'chore']],
];
const OTHER_TITLE = 'Other changes';

interface Entry {
  readonly commit: Commit;
  readonly parsed: ConventionalCommit;
}

/** Builds release notes as Markdown, grouped by Conventional Commit type. The same input always gives the same text. */
export function buildReleaseNotes({ version, from, to, commits, review }: NotesInput): string {
  const entries = toEntries(commits).filter((entry) => !isExcluded(entry, review));
  const lines = [`# ${version === null ? 'Release notes' : `Release ${escapeMarkdown(version)}`}`, ''];
  lines.push(`${pluralize(entries.length, 'change')} from ${formatRevision(from)} to ${formatRevision(to)}.`, '');
  if (review.add.length > 0) lines.push(...review.add.map((text) => `- ${escapeMarkdown(text)}`), '');
  pushSection(
    lines,
    'Breaking changes',
    entries.filter(({ parsed }) => parsed.breaking),
  );
  const otherEntries = entries.filter(({ parsed }) => !parsed.breaking);
  for (const [title, types] of SECTIONS) {
    pushSection(
      lines,
      title,
      otherEntries.filter(({ parsed }) => parsed.type !== null && types.includes(parsed.type)),
    );
  }
  const knownTypes = new Set(SECTIONS.flatMap(([, types]) => types));
  pushSection(
    lines,
    OTHER_TITLE,
    otherEntries.filter(({ parsed }) => parsed.type === null || !knownTypes.has(parsed.type)),
  );
  return `${lines.join('\n').trimEnd()}\n`;
}

/** Merge commits are not listed: the merged commits are. */
function toEntries(commits: readonly Commit[]): readonly Entry[] {
  return commits
    .filter(({ parents }) => parents.length < 2)
    .map((commit) => ({ commit, parsed: parseConventionalCommit(commit.subject, commit.body) }));
}

/**
 * Formats a revision together with its commit, because a revision such as `HEAD` can refer to another commit later.
 * Revisions contain no backticks.
 */
function formatRevision({ revision, commit }: ResolvedRevision): string {
  const shortId = commit.slice(0, 10);
  return commit.startsWith(revision) ? `\`${shortId}\`` : `\`${revision}\` (${shortId})`;
}

/** Returns the number of commits that the reviewers have excluded. */
export function countExcluded(commits: readonly Commit[], review: Review): number {
  return toEntries(commits).filter((entry) => isExcluded(entry, review)).length;
}

function isExcluded({ commit, parsed }: Entry, { exclude }: Review): boolean {
  return exclude.some(({ kind, value }) => {
    // Runs that started with an earlier version of this example may contain shorter ids.
    if (kind === 'commit') return value.length >= 7 && commit.id.startsWith(value);
    return (kind === 'type' ? parsed.type : parsed.scope?.toLowerCase()) === value;
  });
}

function pushSection(lines: string[], title: string, entries: readonly Entry[]): void {
  if (entries.length === 0) return;
  lines.push(`## ${title}`, '', ...entries.map(formatEntry), '');
}

function formatEntry({ commit, parsed }: Entry): string {
  const scope = parsed.scope === null ? '' : `**${escapeMarkdown(parsed.scope, 100)}:** `;
  return `- ${scope}${escapeMarkdown(parsed.description)} (${commit.id.slice(0, 10)})`;
}
