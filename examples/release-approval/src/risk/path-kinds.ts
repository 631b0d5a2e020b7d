/** The kind of a file, derived from its path. If several patterns match, the first one applies. */
export type PathKind =
  'lock' | 'manifest' | 'test' | 'pipeline' | 'deployment' | 'migration' | 'security' | 'docs' | 'source' | 'other';

const KIND_PATTERNS: readonly (readonly [PathKind, RegExp])[] = [
  [
    'lock',
    /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|cargo\.lock|go\.sum|poetry\.lock|uv\.lock|pipfile\.lock|composer\.lock|gemfile\.lock)$/,
  ],
  [
    'manifest',
    /(?:^|\/)(?:package\.json|\.npmrc|cargo\.toml|go\.mod|pyproject\.toml|setup\.(?:py|cfg)|requirements[^/]*\.txt|pipfile|composer\.json|gemfile|pom\.xml|build\.gradle(?:\.kts)?|[^/]*\.csproj)$/,
  ],
  [
    'pipeline',
    /(?:^|\/)(?:\.github\/(?:workflows|actions)|\.ci|\.circleci|\.gitea\/workflows|\.forgejo\/workflows|\.buildkite)\/|(?:^|\/)(?:\.gitlab-ci\.yml|jenkinsfile[^/]*|azure-pipelines[^/]*\.yml|\.travis\.yml|\.husky\/[^/]+)$/,
  ],
  ['migration', /(?:^|\/)migrations?\/|\.sql$/],
  ['test', /(?:^|\/)(?:tests?|__tests__|specs?|e2e)\/|[._-](?:test|spec)\.[a-z]+$|(?:^|\/)test_[^/]+\.py$/],
  [
    'deployment',
    /(?:^|\/)(?:dockerfile[^/]*|(?:docker-)?compose[^/]*\.ya?ml|chart\.yaml)$|(?:^|\/)(?:k8s|kubernetes|helm|terraform|deploy(?:ment)?)\/|\.tf$/,
  ],
  ['docs', /\.(?:md|markdown|rst|adoc|txt)$|(?:^|\/)docs?\/|(?:^|\/)(?:licen[sc]e|notice|changelog)[^/]*$/],
  [
    'security',
    /(?:^|[/._-])(?:auth[nz]?|authentication|authorization|security|crypto|permissions?|secrets?|credentials?|sessions?|tokens?|passwords?)(?:[/._-]|$)/,
  ],
  [
    'source',
    /\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|kts|scala|cs|fs|swift|m|c|cc|cpp|h|hpp|php|ex|exs|erl|clj|hs|ml|sh|bash|ps1|vue|svelte|bpmn|dmn|feel)$/,
  ],
];

export function getPathKind(path: string): PathKind {
  const lowerCasePath = path.toLowerCase();
  return KIND_PATTERNS.find(([, pattern]) => pattern.test(lowerCasePath))?.[0] ?? 'other';
}

/** Returns whether a path is source code. This includes security code, which needs tests like any other code. */
export function isSource(path: string): boolean {
  const kind = getPathKind(path);
  return kind === 'source' || (kind === 'security' && /\.[a-z]+$/i.test(path));
}
