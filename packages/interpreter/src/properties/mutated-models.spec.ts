import fc from 'fast-check';
import { compileWorkflows } from '@countersign/bpmn';
import { isModelRefusedError, type WorkflowGraph } from '@countersign/model';
import { arbitraryModel } from './arbitrary-model.spec.support.js';
import { checkRun } from './check-run.spec.support.js';
import { arbitrarySteps, type StepSketch } from './random-command.spec.support.js';
import { buildStartCommand } from './start-command.spec.support.js';
import { writeModel } from './write-model.spec.support.js';

const MUTANT_COUNT = 1_500;

/** A change at one position of a file: to a tag, an attribute or a character. */
interface Mutation {
  readonly kind: 'drop tag' | 'double tag' | 'swap tags' | 'drop attribute' | 'other value' | 'character';
  /** Selects the tag. */
  readonly at: number;
  /** Selects the attribute, the replacement or the second tag. */
  readonly by: number;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('other value', 'drop attribute', 'drop tag', 'double tag', 'swap tags', 'character'),
  at: fc.nat(4_000),
  by: fc.nat(4_000),
});

const CHARACTERS = [
  '<',
  '>',
  '&',
  '"',
  '=',
  '\u0000',
  '\ud800',
  ']',
  '/',
  ' ',
  'x',
  '0',
  '&#0;',
  '<!DOCTYPE a>',
  '\ufffe',
  ':',
];
const VALUES = [
  '',
  '=',
  '=1 +',
  '__proto__',
  'constructor',
  '=for i in 1..10000000 return i',
  'p',
  'true',
  '-1',
  '999999999999',
  'R/PT0S',
  'P999999Y',
  '=null',
  '\u{1f680}',
];

function mutate(xml: string, { kind, at, by }: Mutation): string {
  const pieces = xml.split(/(?=<)/);
  const [firstIndex, secondIndex] = [at % pieces.length, by % pieces.length];
  const piece = pieces[firstIndex] ?? '';
  const attributes = [...piece.matchAll(/ [\w:]+="[^"]*"/g)];
  const attribute = attributes[by % Math.max(attributes.length, 1)]?.[0];
  switch (kind) {
    case 'drop tag':
      return pieces.toSpliced(firstIndex, 1).join('');
    case 'double tag':
      return pieces.toSpliced(firstIndex, 0, piece).join('');
    case 'swap tags':
      return pieces
        .with(firstIndex, pieces[secondIndex] ?? '')
        .with(secondIndex, piece)
        .join('');
    case 'drop attribute':
      return attribute === undefined ? xml : pieces.with(firstIndex, piece.replace(attribute, '')).join('');
    case 'other value':
      return attribute === undefined
        ? xml
        : pieces
            .with(
              firstIndex,
              piece.replace(
                attribute,
                attribute.replace(/"[^"]*"/, () => `"${pickOtherValue(xml, at + by)}"`),
              ),
            )
            .join('');
    case 'character': {
      const index = (at * 7 + by) % xml.length;
      return xml.slice(0, index) + (CHARACTERS[by % CHARACTERS.length] ?? '') + xml.slice(index + (at % 2));
    }
  }
}

/** Returns another attribute value of the file, or a value that may cause problems. */
function pickOtherValue(xml: string, index: number): string {
  const all = [...VALUES, ...[...xml.matchAll(/="([^"]*)"/g)].map(([, value = '']) => value)];
  return all[index % all.length] ?? '';
}

async function checkMutant(xml: string, steps: readonly StepSketch[]): Promise<void> {
  try {
    const graph = await tryCompile(xml);
    if (graph === undefined || graph.scopes.get(graph.workflowId)?.noneStartEvents.length === 0) return;
    checkRun(
      { version: { graph, recompiled: graph }, versions: null, mayGetStuck: true },
      buildStartCommand(null),
      steps,
    );
  } catch (error) {
    throw new Error(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\nBPMN model:\n${xml}`, {
      cause: error,
    });
  }
}

/** Returns the graph of a BPMN model; `undefined` if the compiler refuses the model. Any other error is thrown. */
async function tryCompile(xml: string): Promise<WorkflowGraph | undefined> {
  try {
    return (await compileWorkflows(xml)).workflows[0]?.graph;
  } catch (error) {
    if (isModelRefusedError(error) && error.problems.length > 0) return undefined;
    throw error;
  }
}

describe('mutated BPMN models', () => {
  it('should be refused by the compiler, or preserve the invariants of runs', async () => {
    const mutations = fc.array(mutation, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(arbitraryModel, mutations, arbitrarySteps, async (sketch, changes, steps) => {
        await checkMutant(changes.reduce(mutate, writeModel(sketch).xml), steps);
      }),
      { numRuns: MUTANT_COUNT },
    );
  }).timeout(600_000);
});
