import { processModel } from '@countersign/testing';
import { drawModel } from './draw-model.spec.support.js';

export interface DrawnElement {
  readonly id: string;
  readonly kind: 'startEvent' | 'endEvent' | 'task' | 'serviceTask' | 'userTask';
  readonly name?: string;
  /** BPMN within it. */
  readonly inner?: string;
}

/** What must stay text wherever it is shown: it would tell the window that it ran (`countersignFault`). */
export const HOSTILE = `<img src=x onerror="countersignFault('xss')"><script>countersignFault('xss')</script>`;

/** A drawn model of elements one behind the other. */
export function drawnModel(id: string, name: string, elements: readonly DrawnElement[], documentation = ''): string {
  const inside = elements
    .map(
      ({ id: elementId, kind, name: called, inner = '' }) =>
        `<bpmn:${kind} id="${elementId}"${called === undefined ? '' : ` name="${escaped(called)}"`}>${inner}</bpmn:${kind}>`,
    )
    .join('\n');
  const flows = elements.slice(1).map((element, index) => `${elements[index]?.id ?? ''} > ${element.id}`);
  const said = documentation === '' ? '' : `<bpmn:documentation>${escaped(documentation)}</bpmn:documentation>`;
  return drawModel(processModel(id, said + inside, ...flows).replace(`name="${id}"`, `name="${escaped(name)}"`));
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Extension elements of a service task. */
export const doneBy = (jobType: string, retries = 3): string =>
  `<bpmn:extensionElements><zeebe:taskDefinition type="${jobType}" retries="${retries}" /></bpmn:extensionElements>`;
