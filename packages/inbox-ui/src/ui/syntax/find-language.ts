/** Languages whose words can be coloured. */
export type Language =
  | 'c'
  | 'cpp'
  | 'csharp'
  | 'css'
  | 'dockerfile'
  | 'go'
  | 'groovy'
  | 'hcl'
  | 'html'
  | 'java'
  | 'javascript'
  | 'json'
  | 'kotlin'
  | 'less'
  | 'powershell'
  | 'properties'
  | 'python'
  | 'ruby'
  | 'rust'
  | 'scala'
  | 'scss'
  | 'shell'
  | 'sql'
  | 'swift'
  | 'toml'
  | 'typescript'
  | 'xml'
  | 'yaml';

const EXTENSIONS: Readonly<Record<Language, readonly string[]>> = {
  c: ['c', 'h'],
  cpp: ['cc', 'cpp', 'cxx', 'hh', 'hpp', 'hxx'],
  csharp: ['cs'],
  css: ['css'],
  dockerfile: ['dockerfile'],
  go: ['go'],
  groovy: ['groovy', 'gradle', 'jenkinsfile'],
  hcl: ['tf', 'tfvars', 'hcl'],
  html: ['html', 'htm', 'xhtml', 'vue', 'svelte'],
  java: ['java'],
  javascript: ['js', 'mjs', 'cjs', 'jsx'],
  json: ['json', 'jsonc', 'json5', 'jsonl', 'ndjson', 'webmanifest'],
  kotlin: ['kt', 'kts'],
  less: ['less'],
  powershell: ['ps1', 'psm1', 'psd1'],
  properties: ['properties', 'ini', 'cfg', 'conf', 'env', 'editorconfig', 'npmrc', 'gitconfig'],
  python: ['py', 'pyi'],
  ruby: ['rb', 'rake', 'gemspec', 'gemfile', 'rakefile'],
  rust: ['rs'],
  scala: ['scala', 'sc', 'sbt'],
  scss: ['scss'],
  shell: ['sh', 'bash', 'zsh', 'ksh', 'bashrc', 'zshrc', 'profile'],
  sql: ['sql', 'ddl'],
  swift: ['swift'],
  toml: ['toml'],
  typescript: ['ts', 'mts', 'cts', 'tsx'],
  xml: ['xml', 'bpmn', 'dmn', 'svg', 'xsd', 'xsl', 'xslt', 'wsdl', 'pom', 'csproj', 'plist'],
  yaml: ['yaml', 'yml'],
};

const LANGUAGES: ReadonlyMap<string, Language> = new Map(
  (Object.keys(EXTENSIONS) as Language[]).flatMap((language) =>
    EXTENSIONS[language].map((extension) => [extension, language] as const),
  ),
);

/** Returns the language of a file, by its extension or its whole name (`Dockerfile`); `undefined` if it is unknown. */
export function findLanguage(path: string): Language | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const language = LANGUAGES.get(name.slice(name.lastIndexOf('.') + 1));
  return language ?? (name.startsWith('dockerfile.') ? 'dockerfile' : undefined);
}
