import fc from 'fast-check';
import { compileWorkflows } from '@countersign/bpmn';
import type { WorkflowGraph } from '@countersign/model';
import { arbitraryModel } from './arbitrary-model.spec.support.js';
import { checkRun } from './check-run.spec.support.js';
import { arbitrarySteps, type StepSketch } from './random-command.spec.support.js';
import type { ModelSketch } from './sketch.spec.support.js';
import { listStartTriggers, startCommand } from './start-command.spec.support.js';
import { renameIds, type Version } from './versions.spec.support.js';
import { writeModel } from './write-model.spec.support.js';

export interface ModelCheck {
  readonly models: number;
  readonly seed: number;
  /** The path of a failure to reproduce. */
  readonly path?: string;
}

/**
 * Checks random models, each with a random sequence of commands.
 *
 * @throws {Error} with the seed, the path and the smallest model and commands that fail
 */
export async function checkModels({ models, seed, path }: ModelCheck): Promise<void> {
  const property = fc.asyncProperty(arbitraryModel, arbitraryModel, arbitrarySteps, checkModel);
  await fc.assert(property, { numRuns: models, seed, ...(path === undefined ? {} : { path }) });
}

async function checkModel(sketch: ModelSketch, otherSketch: ModelSketch, steps: readonly StepSketch[]): Promise<void> {
  const { xml, mayStick } = writeModel(sketch);
  const hasMigration = steps.some(({ kind }) => kind === 'migrate');
  const other = hasMigration ? writeModel(modifySketch(sketch, otherSketch, steps.length)).xml : '';
  try {
    // Compiling takes as long as the rest, so only some models are compiled twice.
    const version = await compileVersion(xml, steps.length % 3 === 0);
    const versions = hasMigration
      ? { first: version, renamed: await compileVersion(renameIds(xml)), other: await compileVersion(other) }
      : null;
    const startTriggers = listStartTriggers(version.graph);
    const event = steps.length % 2 === 0 ? startTriggers[(steps.length / 2) % startTriggers.length] : undefined;
    checkRun({ version, versions, mayStick }, startCommand(event ?? null), steps);
  } catch (error) {
    const models = [xml, ...(hasMigration ? [other] : [])].map((each) => `The model:\n${each}`);
    throw new Error([error instanceof Error ? (error.stack ?? error.message) : String(error), ...models].join('\n'), {
      cause: error,
    });
  }
}

/** Another version of a model. Most versions differ only in later parts, so that the first elements keep their ids. */
function modifySketch(sketch: ModelSketch, other: ModelSketch, which: number): ModelSketch {
  switch (which % 4) {
    case 0:
      return other;
    case 1:
      return { ...sketch, body: sketch.body.slice(0, -1) };
    case 2:
      return { ...sketch, eventSubProcesses: other.eventSubProcesses };
    default:
      return { ...sketch, body: [...sketch.body, ...other.body] };
  }
}

async function compileVersion(xml: string, twice = false): Promise<Version> {
  const graph = await compile(xml);
  return { graph, recompiled: twice ? await compile(xml) : graph };
}

async function compile(xml: string): Promise<WorkflowGraph> {
  const [first] = (await compileWorkflows(xml)).workflows;
  if (first === undefined) throw new Error('The model has no workflow.');
  return first.graph;
}
