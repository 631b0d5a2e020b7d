import type { RiskFactor } from '@countersign/model';
import type { ChangedFile } from '../git/read-changed-files.js';
import type { Commit } from '../git/read-commits.js';
import { parseConventionalCommit } from '../notes/conventional-commit.js';
import { toOneLine, pluralize, truncate } from '../text.js';
import { isSource, getPathKind, type PathKind } from './path-kinds.js';
import { RISK_RULES } from './risk-rules.js';

export interface Release {
  readonly commits: readonly Commit[];
  readonly files: readonly ChangedFile[];
  /** Number of commits of the earlier state that the released state does not contain. */
  readonly missingCommits: number;
}

const { weights } = RISK_RULES;

/** Returns the risk factors of a release, highest weight first. The same release always has the same factors. */
export function assessRisk(release: Release): RiskFactor[] {
  const { files, commits, missingCommits: missing } = release;
  const factors: (RiskFactor | undefined)[] = [
    missing === 0
      ? undefined
      : createFactor(
          'diverged',
          weights.diverged,
          `Drops ${pluralize(missing, 'commit')} of the earlier state, because the release does not build on it.`,
        ),
    createKindFactor(files, 'migration', 'migrations', weights.migrations, 'Changes the format of stored data'),
    createKindFactor(files, 'security', 'security', weights.security, 'Touches code that protects access or secrets'),
    createBreakingFactor(commits),
    createSizeFactor(files),
    createKindFactor(files, 'pipeline', 'ci', weights.pipeline, 'Touches the build and release pipeline'),
    createTestsFactor(files),
    createFilesFactor(
      files,
      (file) => getPathKind(file.path) === 'test' && file.status === 'deleted',
      'tests_removed',
      weights.testsRemoved,
      'Removes tests',
    ),
    createFilesFactor(
      files,
      ({ path }) => ['manifest', 'lock'].includes(getPathKind(path)),
      'dependencies',
      weights.dependencies,
      'Touches package manifests',
    ),
    createKindFactor(files, 'deployment', 'deployment', weights.deployment, 'Touches the deployment'),
    createFilesFactor(
      files,
      ({ mode, previousMode }) => [mode, previousMode].includes('160000'),
      'submodules',
      weights.submodules,
      'Points to another commit of a submodule',
    ),
    createFilesFactor(
      files,
      becameExecutableOrLink,
      'file_modes',
      weights.fileModes,
      'Turns files into executables or links',
    ),
    createFilesFactor(
      files,
      ({ added }) => added === null,
      'not_shown',
      weights.unreadable,
      'Changes files that the diff does not show line by line',
    ),
  ];
  return factors.filter((factor) => factor !== undefined).sort((a, b) => b.weight - a.weight);
}

function createFactor(code: string, weight: number, description: string): RiskFactor {
  return { code, description: truncate(description, 500), weight };
}

function createKindFactor(
  files: readonly ChangedFile[],
  kind: PathKind,
  code: string,
  weight: number,
  description: string,
): RiskFactor | undefined {
  const isOfKind = (path: string | null): boolean => path !== null && getPathKind(path) === kind;
  return createFilesFactor(
    files,
    (file) => isOfKind(file.path) || isOfKind(file.previousPath),
    code,
    weight,
    description,
  );
}

function createFilesFactor(
  files: readonly ChangedFile[],
  matches: (file: ChangedFile) => boolean,
  code: string,
  weight: number,
  description: string,
): RiskFactor | undefined {
  const paths = files.filter(matches).map(({ path }) => path);
  return paths.length === 0 ? undefined : createFactor(code, weight, `${description}: ${formatPaths(paths)}.`);
}

/** Lists the first three paths and counts the others. Paths are untrusted, so they are sanitized for display. */
function formatPaths(paths: readonly string[]): string {
  const listedPaths = paths.slice(0, 3).map((path) => toOneLine(path, 100));
  return listedPaths.join(', ') + (paths.length > 3 ? ` and ${pluralize(paths.length - 3, 'more', 'more')}` : '');
}

function createSizeFactor(files: readonly ChangedFile[]): RiskFactor | undefined {
  const lines = files
    .filter(({ path }) => getPathKind(path) !== 'lock')
    .reduce((sum, { added, removed }) => sum + (added ?? 0) + (removed ?? 0), 0);
  const threshold = RISK_RULES.size.find(({ from }) => lines >= from);
  return (
    threshold && createFactor('size', threshold.weight, `Changes ${lines} lines in ${pluralize(files.length, 'file')}.`)
  );
}

function createTestsFactor(files: readonly ChangedFile[]): RiskFactor | undefined {
  if (files.some(({ path, status }) => getPathKind(path) === 'test' && status !== 'deleted')) return undefined;
  // A file that was only moved or deleted needs no new test.
  const needsTest = (file: ChangedFile): boolean =>
    isSource(file.path) && file.status !== 'deleted' && (file.added ?? 1) > 0;
  return createFilesFactor(files, needsTest, 'tests_missing', weights.testsMissing, 'Changes source code, but no test');
}

function createBreakingFactor(commits: readonly Commit[]): RiskFactor | undefined {
  const breakingCommits = commits.filter(({ subject, body }) => parseConventionalCommit(subject, body).breaking);
  const [firstCommit] = breakingCommits;
  if (firstCommit === undefined) return undefined;
  const moreText = breakingCommits.length > 1 ? ` and ${pluralize(breakingCommits.length - 1, 'more', 'more')}` : '';
  return createFactor(
    'breaking_change',
    weights.breaking,
    `Declares a breaking change: ${firstCommit.subject.slice(0, 200).toWellFormed()}${moreText}.`,
  );
}

function becameExecutableOrLink({ mode, previousMode }: ChangedFile): boolean {
  return mode !== previousMode && (mode === '100755' || mode === '120000');
}
