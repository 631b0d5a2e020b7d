import { parseDefinitions } from '@countersign/inbox-ui/diagram/read-definitions';
import { buildModelIndex, type ModelIndex } from './model-index.js';

/**
 * Indexes a process with the given elements and sequence flows. A flow is written as `a > b`; the ids are `flow-1`,
 * `flow-2`, …
 */
export async function indexProcess(elements: string, ...flows: readonly string[]): Promise<ModelIndex> {
  const flowXml = flows.map((flow, index) => {
    const [source = '', target = ''] = flow.split('>').map((part) => part.trim());
    return `<bpmn:sequenceFlow id="flow-${index + 1}" sourceRef="${source}" targetRef="${target}" />`;
  });
  return buildModelIndex(
    await parseDefinitions(
      `<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" id="d"><bpmn:process id="p">${elements}${flowXml.join('')}</bpmn:process></bpmn:definitions>`,
    ),
  );
}
