import { processModel } from '@countersign/testing';
import { addDiagram } from './draw-model.spec.support.js';

export interface DrawnElement {
  readonly id: string;
  readonly kind: 'startEvent' | 'endEvent' | 'task' | 'serviceTask' | 'userTask';
  readonly name?: string;
  /** BPMN inside the element. */
  readonly inner?: string;
}

/** HTML that every page must display as plain text. If a browser executes it, it calls `countersignFault`. */
export const HOSTILE_MARKUP = `<img src=x onerror="countersignFault('xss')"><script>countersignFault('xss')</script>`;

/** Returns a BPMN model with a diagram of elements in sequence. */
export function drawnModel(id: string, name: string, elements: readonly DrawnElement[], documentation = ''): string {
  const elementsXml = elements
    .map(
      ({ id: elementId, kind, name: elementName, inner = '' }) =>
        `<bpmn:${kind} id="${elementId}"${elementName === undefined ? '' : ` name="${escapeXml(elementName)}"`}>${inner}</bpmn:${kind}>`,
    )
    .join('\n');
  const flows = elements.slice(1).map((element, index) => `${elements[index]?.id ?? ''} > ${element.id}`);
  const documentationXml =
    documentation === '' ? '' : `<bpmn:documentation>${escapeXml(documentation)}</bpmn:documentation>`;
  return addDiagram(
    processModel(id, documentationXml + elementsXml, ...flows).replace(`name="${id}"`, `name="${escapeXml(name)}"`),
  );
}

export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Returns the extension elements of a service task. */
export const jobExtension = (jobType: string, retries = 3): string =>
  `<bpmn:extensionElements><zeebe:taskDefinition type="${jobType}" retries="${retries}" /></bpmn:extensionElements>`;
