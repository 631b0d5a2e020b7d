import { expect } from 'chai';
import {
  type Expression,
  type FlowNode,
  type ModelProblem,
  ModelRefusedError,
  type Value,
  type WorkflowGraph,
} from '@countersign/model';
import { compileWorkflow } from './compile-workflow.js';

/** Returns a BPMN file whose `<definitions>` element has the given content. */
export function definitions(content: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0"
  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:modeler="http://camunda.org/schema/modeler/1.0"
  id="definitions" targetNamespace="http://example.org" modeler:executionPlatform="Camunda Cloud">${content}</bpmn:definitions>`;
}

/** Returns a BPMN file with one executable process. `root` contains other root elements. */
export function model(content: string, root = ''): string {
  return definitions(
    `${root}<bpmn:process id="process" name="A process" isExecutable="true">${content}</bpmn:process>`,
  );
}

/**
 * Returns a sequence from a start event through the elements of `content` to an end event. `ids` are the ids of these
 * elements in the order of the flow.
 */
export function sequentialFlow(content: string, ...ids: string[]): string {
  const path = ['start', ...ids, 'end'];
  const flows = path.slice(1).map((id, index) => flow(path[index] ?? '', id));
  return `<bpmn:startEvent id="start"/>${content}<bpmn:endEvent id="end"/>${flows.join('')}`;
}

/** Returns a sequence flow with the id `from-to`, and with the condition if one is given. */
export function flow(from: string, to: string, condition?: string): string {
  const conditionExpression =
    condition === undefined
      ? ''
      : `<bpmn:conditionExpression xsi:type="bpmn:tFormalExpression">${condition}</bpmn:conditionExpression>`;
  return `<bpmn:sequenceFlow id="${from}-${to}" sourceRef="${from}" targetRef="${to}">${conditionExpression}</bpmn:sequenceFlow>`;
}

export function element(type: string, id: string, extensions = '', content = '', attributes = ''): string {
  const extension = extensions === '' ? '' : `<bpmn:extensionElements>${extensions}</bpmn:extensionElements>`;
  return `<bpmn:${type} id="${id}" ${attributes}>${extension}${content}</bpmn:${type}>`;
}

export function serviceTask(id: string, type = 'work', extensions = ''): string {
  return element('serviceTask', id, `<zeebe:taskDefinition type="${type}"/>${extensions}`);
}

export function userTask(id: string, values: Record<string, string> = {}, extensions = ''): string {
  return element('userTask', id, properties(values) + extensions);
}

/**
 * Returns a sub-process of the given type with a sequence from a start event through the elements `ids` of `content` to
 * an end event. The ids of its start and end events begin with the id of the sub-process.
 */
export function nestedScope(type: string, id: string, content: string, attributes = '', ...ids: string[]): string {
  const path = [`${id}Start`, ...ids, `${id}End`];
  const flows = path.slice(1).map((target, index) => flow(path[index] ?? '', target));
  const scopeContent = `<bpmn:startEvent id="${id}Start"/>${content}<bpmn:endEvent id="${id}End"/>${flows.join('')}`;
  return element(type, id, '', scopeContent, attributes);
}

export function properties(values: Record<string, string>): string {
  const list = Object.entries(values).map(([name, value]) => `<zeebe:property name="${name}" value='${value}'/>`);
  return `<zeebe:properties>${list.join('')}</zeebe:properties>`;
}

export async function compileModel(xml: string | Uint8Array): Promise<WorkflowGraph> {
  return (await compileWorkflow(xml)).graph;
}

/** Returns the node with an id. The test fails if the node is not of the given kind. */
export async function requireNode<K extends FlowNode['kind']>(
  xml: string,
  id: string,
  kind: K,
): Promise<Extract<FlowNode, { readonly kind: K }>> {
  const node = (await compileModel(xml)).nodes.get(id);
  expect(node?.kind).to.equal(kind);
  return node as Extract<FlowNode, { readonly kind: K }>;
}

/** Returns the problems of a refused BPMN model. The test fails if the model is accepted. */
export async function findProblems(xml: string | Uint8Array): Promise<readonly ModelProblem[]> {
  try {
    await compileWorkflow(xml);
  } catch (error) {
    expect(error).to.be.instanceOf(ModelRefusedError);
    return (error as ModelRefusedError).problems;
  }
  throw new Error('the model was not refused');
}

/** Returns `elementId code` for each problem. */
export async function findProblemCodes(xml: string | Uint8Array): Promise<string[]> {
  return (await findProblems(xml)).map(({ elementId, code }) => `${elementId ?? '-'} ${code}`);
}

/** Evaluates an expression. Returns `undefined` for a literal. */
export function evaluate(value: Value | Expression, variables: Record<string, unknown>): unknown {
  const expression = 'literal' in value ? undefined : 'expression' in value ? value.expression : value;
  return expression?.evaluate({ variables: { get: (name) => variables[name] }, now: 0 });
}

export const MESSAGE = `<bpmn:message id="m" name="paid"><bpmn:extensionElements>
  <zeebe:subscription correlationKey="=order.id"/></bpmn:extensionElements></bpmn:message>`;
