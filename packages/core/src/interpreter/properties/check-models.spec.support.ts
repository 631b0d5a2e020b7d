import fc from 'fast-check';
import { compileWorkflows } from '../../bpmn/index.js';
import type { WorkflowGraph } from '../../domain/workflow-graph.js';
import { arbitraryModel } from './arbitrary-model.spec.support.js';
import { checkRun, startCommand } from './check-run.spec.support.js';
import { arbitrarySteps, type StepSketch } from './random-command.spec.support.js';
import type { ModelSketch } from './sketch.spec.support.js';
import { writeModel } from './write-model.spec.support.js';

export interface ModelCheck {
  readonly models: number;
  readonly seed: number;
  /** Of a failure that is to be seen again. */
  readonly path?: string;
}

/**
 * Checks random models, each with a random sequence of commands.
 *
 * @throws {Error} with the seed, the path and the smallest model and commands that fail
 */
export async function checkModels({ models, seed, path }: ModelCheck): Promise<void> {
  const property = fc.asyncProperty(arbitraryModel, arbitrarySteps, checkModel);
  await fc.assert(property, { numRuns: models, seed, ...(path === undefined ? {} : { path }) });
}

async function checkModel(sketch: ModelSketch, steps: readonly StepSketch[]): Promise<void> {
  const { xml, mayStick } = writeModel(sketch);
  try {
    const graph = await compiled(xml);
    // Compiling takes as long as the rest, so not each model is compiled twice.
    const recompiled = steps.length % 3 === 0 ? await compiled(xml) : graph;
    const byMessage = steps.length % 2 === 0 ? (graph.scopes.get(graph.workflowId)?.triggeredStartEvents[0] ?? null) : null;
    checkRun({ graph, recompiled, mayStick }, startCommand(byMessage), steps);
  } catch (error) {
    throw new Error(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\nThe model:\n${xml}`, { cause: error });
  }
}

async function compiled(xml: string): Promise<WorkflowGraph> {
  const [first] = (await compileWorkflows(xml)).workflows;
  if (first === undefined) throw new Error('The model has no workflow.');
  return first.graph;
}
