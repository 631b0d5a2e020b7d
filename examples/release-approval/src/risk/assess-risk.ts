import type { RiskFactor } from '@countersign/model';
import type { ChangedFile } from '../git/read-changed-files.js';
import type { Commit } from '../git/read-commits.js';
import { parseSubject } from '../notes/conventional-commit.js';
import { oneLine, plural, shorten } from '../text.js';
import { isSource, kindOf, type PathKind } from './path-kinds.js';
import { RISK_RULES } from './risk-rules.js';

export interface Release {
  readonly commits: readonly Commit[];
  readonly files: readonly ChangedFile[];
  /** Commits of the earlier state that the released one lacks. */
  readonly missing: number;
}

const { weights } = RISK_RULES;

/** The risk factors of a release, heaviest first. The same release always has the same ones. */
export function assessRisk(release: Release): RiskFactor[] {
  const { files, commits, missing } = release;
  const found: (RiskFactor | undefined)[] = [
    missing === 0
      ? undefined
      : factor(
          'diverged',
          weights.diverged,
          `Drops ${plural(missing, 'commit')} of the earlier state, because the release does not build on it.`,
        ),
    touched(files, 'migration', 'migrations', weights.migrations, 'Changes the format of stored data'),
    touched(files, 'security', 'security', weights.security, 'Touches code that protects access or secrets'),
    breaking(commits),
    size(files),
    touched(files, 'pipeline', 'ci', weights.pipeline, 'Touches the build and release pipeline'),
    tests(files),
    where(
      files,
      (file) => kindOf(file.path) === 'test' && file.status === 'deleted',
      'tests_removed',
      weights.testsRemoved,
      'Removes tests',
    ),
    where(
      files,
      ({ path }) => ['manifest', 'lock'].includes(kindOf(path)),
      'dependencies',
      weights.dependencies,
      'Touches package manifests',
    ),
    touched(files, 'deployment', 'deployment', weights.deployment, 'Touches the deployment'),
    where(
      files,
      ({ mode, previousMode }) => [mode, previousMode].includes('160000'),
      'submodules',
      weights.submodules,
      'Points to another commit of a submodule',
    ),
    where(files, becameSpecial, 'file_modes', weights.fileModes, 'Turns files into executables or links'),
    where(
      files,
      ({ added }) => added === null,
      'not_shown',
      weights.unreadable,
      'Changes files that the diff does not show line by line',
    ),
  ];
  return found.filter((one) => one !== undefined).sort((a, b) => b.weight - a.weight);
}

function factor(code: string, weight: number, description: string): RiskFactor {
  return { code, description: shorten(description, 500), weight };
}

function touched(
  files: readonly ChangedFile[],
  kind: PathKind,
  code: string,
  weight: number,
  text: string,
): RiskFactor | undefined {
  const fits = (path: string | null): boolean => path !== null && kindOf(path) === kind;
  return where(files, (file) => fits(file.path) || fits(file.previousPath), code, weight, text);
}

function where(
  files: readonly ChangedFile[],
  fits: (file: ChangedFile) => boolean,
  code: string,
  weight: number,
  text: string,
): RiskFactor | undefined {
  const paths = files.filter(fits).map(({ path }) => path);
  return paths.length === 0 ? undefined : factor(code, weight, `${text}: ${named(paths)}.`);
}

/** A few paths by name, the rest by number. They come from the repository, so they are made harmless to show. */
function named(paths: readonly string[]): string {
  const shown = paths.slice(0, 3).map((path) => oneLine(path, 100));
  return shown.join(', ') + (paths.length > 3 ? ` and ${plural(paths.length - 3, 'more', 'more')}` : '');
}

function size(files: readonly ChangedFile[]): RiskFactor | undefined {
  const lines = files
    .filter(({ path }) => kindOf(path) !== 'lock')
    .reduce((sum, { added, removed }) => sum + (added ?? 0) + (removed ?? 0), 0);
  const step = RISK_RULES.size.find(({ from }) => lines >= from);
  return step && factor('size', step.weight, `Changes ${lines} lines in ${plural(files.length, 'file')}.`);
}

function tests(files: readonly ChangedFile[]): RiskFactor | undefined {
  if (files.some(({ path, status }) => kindOf(path) === 'test' && status !== 'deleted')) return undefined;
  // A file that was only moved or deleted needs no new test.
  const changed = (file: ChangedFile): boolean =>
    isSource(file.path) && file.status !== 'deleted' && (file.added ?? 1) > 0;
  return where(files, changed, 'tests_missing', weights.testsMissing, 'Changes source code, but no test');
}

function breaking(commits: readonly Commit[]): RiskFactor | undefined {
  const found = commits.filter(({ subject, body }) => parseSubject(subject, body).breaking);
  const [first] = found;
  if (first === undefined) return undefined;
  const more = found.length > 1 ? ` and ${plural(found.length - 1, 'more', 'more')}` : '';
  return factor(
    'breaking_change',
    weights.breaking,
    `Declares a breaking change: ${first.subject.slice(0, 200).toWellFormed()}${more}.`,
  );
}

function becameSpecial({ mode, previousMode }: ChangedFile): boolean {
  return mode !== previousMode && (mode === '100755' || mode === '120000');
}
