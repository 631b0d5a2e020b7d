import { texts } from '../texts/index.js';

/** A type of BPMN as words: `Service task` for `bpmn:ServiceTask` and for `serviceTask`. One that BPMN has not keeps its name. */
export function elementTypeLabel(type: string): string {
  const name = type.slice(type.indexOf(':') + 1);
  const words: Readonly<Record<string, string>> = texts.bpmnTypes;
  const key = name.charAt(0).toLowerCase() + name.slice(1);
  return Object.hasOwn(words, key) ? (words[key] ?? name) : name;
}
