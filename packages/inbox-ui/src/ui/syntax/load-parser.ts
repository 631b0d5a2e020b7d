import type { StreamParser } from '@codemirror/streamparser';
import type { Language } from './find-language.js';

/** A parser that reads a text line by line. */
export type LineParser = StreamParser<unknown>;

const loadCLike = () => import('@codemirror/legacy-modes/mode/clike');
const loadCss = () => import('@codemirror/legacy-modes/mode/css');
const loadJavaScript = () => import('@codemirror/legacy-modes/mode/javascript');
const loadXml = () => import('@codemirror/legacy-modes/mode/xml');

const LOADERS: Readonly<Record<Language, () => Promise<LineParser>>> = {
  c: async () => (await loadCLike()).c,
  cpp: async () => (await loadCLike()).cpp,
  csharp: async () => (await loadCLike()).csharp,
  css: async () => (await loadCss()).css,
  dockerfile: async () => (await import('@codemirror/legacy-modes/mode/dockerfile')).dockerFile,
  go: async () => (await import('@codemirror/legacy-modes/mode/go')).go,
  groovy: async () => (await import('@codemirror/legacy-modes/mode/groovy')).groovy,
  hcl: async () => (await import('./hcl-parser.js')).hcl,
  html: async () => (await loadXml()).html,
  java: async () => (await loadCLike()).java,
  javascript: async () => (await loadJavaScript()).javascript,
  json: async () => (await loadJavaScript()).json,
  kotlin: async () => (await loadCLike()).kotlin,
  less: async () => (await loadCss()).less,
  powershell: async () => (await import('@codemirror/legacy-modes/mode/powershell')).powerShell,
  properties: async () => (await import('@codemirror/legacy-modes/mode/properties')).properties,
  python: async () => (await import('@codemirror/legacy-modes/mode/python')).python,
  ruby: async () => (await import('@codemirror/legacy-modes/mode/ruby')).ruby,
  rust: async () => (await import('@codemirror/legacy-modes/mode/rust')).rust,
  scala: async () => (await loadCLike()).scala,
  scss: async () => (await loadCss()).sCSS,
  shell: async () => (await import('@codemirror/legacy-modes/mode/shell')).shell,
  sql: async () => (await import('@codemirror/legacy-modes/mode/sql')).pgSQL,
  swift: async () => (await import('@codemirror/legacy-modes/mode/swift')).swift,
  toml: async () => (await import('@codemirror/legacy-modes/mode/toml')).toml,
  typescript: async () => (await loadJavaScript()).typescript,
  xml: async () => (await loadXml()).xml,
  yaml: async () => (await import('./yaml-parser.js')).yaml as LineParser,
};

/** Loads the parser of a language. It is a chunk of its own, so that no page waits for it. */
export function loadParser(language: Language): Promise<LineParser> {
  return LOADERS[language]();
}
