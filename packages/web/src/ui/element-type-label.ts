import { texts } from '../texts/index.js';

/**
 * Returns the label of a BPMN type: `Service task` for `bpmn:ServiceTask` and `serviceTask`. An unknown type keeps its
 * name.
 */
export function getElementTypeLabel(type: string): string {
  const name = type.slice(type.indexOf(':') + 1);
  const labels: Readonly<Record<string, string>> = texts.bpmnTypes;
  const key = name.charAt(0).toLowerCase() + name.slice(1);
  return Object.hasOwn(labels, key) ? (labels[key] ?? name) : name;
}
