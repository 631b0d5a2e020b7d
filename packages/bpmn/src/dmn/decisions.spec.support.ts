import { expect } from 'chai';
import {
  type DmnDecision,
  DecisionFailure,
  type DmnDecisionGraph,
  type DmnDecisionResult,
  type Json,
  type ModelProblem,
  ModelRefusedError,
} from '@countersign/model';
import { compileDecisions } from './index.js';

/** Returns a DMN file, as Camunda Modeler writes it, whose `<definitions>` element has the given content. */
export function definitions(content: string, attributes = ''): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" xmlns:dmndi="https://www.omg.org/spec/DMN/20191111/DMNDI/"
  xmlns:dc="http://www.omg.org/spec/DMN/20180521/DC/" xmlns:di="http://www.omg.org/spec/DMN/20180521/DI/"
  xmlns:biodi="http://bpmn.io/schema/dmn/biodi/2.0" xmlns:modeler="http://camunda.org/schema/modeler/1.0"
  xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" id="drd" name="The DRD" namespace="http://camunda.org/schema/1.0/dmn"
  exporter="Camunda Modeler" modeler:executionPlatform="Camunda Cloud" ${attributes}>${content}</definitions>`;
}

export function decision(id: string, logic: string, attributes = `name="Decision ${id}"`): string {
  return `<decision id="${id}" ${attributes}>${logic}</decision>`;
}

export function literal(text: string, attributes = ''): string {
  return `<literalExpression ${attributes}>${textElement(text)}</literalExpression>`;
}

export function variable(name: string, typeRef = ''): string {
  return `<variable name="${name}" ${typeRef === '' ? '' : `typeRef="${typeRef}"`}/>`;
}

export function requires(...ids: string[]): string {
  return ids.map((id) => `<informationRequirement><requiredDecision href="#${id}"/></informationRequirement>`).join('');
}

/** An output column. */
export interface Output {
  readonly name?: string;
  readonly values?: string;
  readonly defaultEntry?: string;
}

export interface Table {
  readonly id?: string;
  /** Attributes of the table, such as `hitPolicy`. */
  readonly attributes?: string;
  /** Input expressions. */
  readonly inputs?: readonly string[];
  readonly inputValues?: string;
  readonly outputs?: readonly Output[];
  /** The input entries of each rule, `=>`, and its output entries. Several entries are separated by `|`. */
  readonly rules: readonly string[];
}

/**
 * Returns a decision table. Its inputs have the ids `in1`, `in2`, …, its outputs `out1`, `out2`, … and its rules `r1`,
 * `r2`, ….
 */
export function table({
  id = 't',
  attributes = '',
  inputs = ['x'],
  inputValues,
  outputs = [{}],
  rules,
}: Table): string {
  const inputColumns = inputs.map(
    (
      expression,
      index,
    ) => `<input id="in${index + 1}" biodi:width="192"><inputExpression id="ie${index + 1}" typeRef="string">${textElement(expression)}</inputExpression>
      ${optionalElement('inputValues', inputValues)}</input>`,
  );
  const outputColumns = outputs.map(
    ({ name, values, defaultEntry }, index) =>
      `<output id="out${index + 1}" label="Output ${index + 1}" ${name === undefined ? '' : `name="${name}"`}>${optionalElement('outputValues', values)}${optionalElement('defaultOutputEntry', defaultEntry)}</output>`,
  );
  const rows = rules.map((rule, index) => {
    const [inputEntries = '', outputEntries = ''] = rule.split('=>');
    const cells = (tag: string, texts: string): string =>
      texts
        .split('|')
        .map((text, column) => `<${tag} id="${tag}-${index + 1}-${column + 1}">${textElement(text.trim())}</${tag}>`)
        .join('');
    return `<rule id="r${index + 1}"><description>A note</description>${inputs.length === 0 ? '' : cells('inputEntry', inputEntries)}${cells('outputEntry', outputEntries)}</rule>`;
  });
  return `<decisionTable id="${id}" ${attributes}>${[...inputColumns, ...outputColumns, ...rows].join('\n')}</decisionTable>`;
}

function optionalElement(tag: string, text: string | undefined): string {
  return text === undefined ? '' : `<${tag}>${textElement(text)}</${tag}>`;
}

function textElement(text: string): string {
  return `<text>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</text>`;
}

export function compileGraph(xml: string | Uint8Array): Promise<DmnDecisionGraph> {
  return compileDecisions(xml);
}

/** Returns a DMN decision of a file. The test fails if the file does not contain it. */
export async function compileDecision(xml: string, id = 'd'): Promise<DmnDecision> {
  const compiledDecision = (await compileDecisions(xml)).decisions.get(id);
  if (compiledDecision === undefined) throw new Error(`The file has no DMN decision "${id}".`);
  return compiledDecision;
}

export function evaluate(compiledDecision: DmnDecision, variables: Record<string, unknown> = {}): DmnDecisionResult {
  return compiledDecision.evaluate({ variables: new Map(Object.entries(variables)), now: 0 });
}

/** Returns the output of a table that is the logic of the DMN decision `d`. */
export async function evaluateOutput(tableOptions: Table, variables: Record<string, unknown> = {}): Promise<Json> {
  return evaluate(await compileDecision(definitions(decision('d', table(tableOptions)))), variables).output;
}

/** Returns the failure of a DMN decision. The test fails if the DMN decision has a result. */
export function evaluateFailure(
  compiledDecision: DmnDecision,
  variables: Record<string, unknown> = {},
): DecisionFailure {
  try {
    evaluate(compiledDecision, variables);
  } catch (error) {
    expect(error).to.be.instanceOf(DecisionFailure);
    return error as DecisionFailure;
  }
  throw new Error('Expected the DMN decision to fail.');
}

/** Returns the problems of a refused file. The test fails if the file is accepted. */
export async function findProblems(xml: string | Uint8Array): Promise<readonly ModelProblem[]> {
  try {
    await compileDecisions(xml);
  } catch (error) {
    expect(error).to.be.instanceOf(ModelRefusedError);
    return (error as ModelRefusedError).problems;
  }
  throw new Error('Expected the DMN file to be refused.');
}

/** Returns `elementId code` for each problem. */
export async function findProblemCodes(xml: string | Uint8Array): Promise<string[]> {
  return (await findProblems(xml)).map(({ elementId, code }) => `${elementId ?? '-'} ${code}`);
}
