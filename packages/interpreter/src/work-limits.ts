import type { Execution } from './execution.js';
import { StepFailure } from './incidents.js';

/** Maximum number of elements that one command may enter. Beyond it, the engine assumes a loop without a wait. */
export const MAX_ELEMENTS_PER_COMMAND = 10_000;
/** Maximum number of FEEL steps of all expressions of one command: twenty times the limit of a single expression. */
export const MAX_FEEL_STEPS_PER_COMMAND = 2_000_000;
/** Maximum number of characters of private data that one command may write after its first 100 elements. */
export const MAX_WRITTEN_CHARACTERS = 16_000_000;

/**
 * Throws a {@link StepFailure} if the command has done too much work, because it delays all other commands. A recovery
 * continues from here.
 */
export function assertWorkLimits({
  enteredCount,
  meter,
  writtenCharacters,
}: Pick<Execution, 'enteredCount' | 'meter' | 'writtenCharacters'>): void {
  if (enteredCount > MAX_ELEMENTS_PER_COMMAND) {
    throw new StepFailure(
      'element_limit_exceeded',
      `One command entered more than ${MAX_ELEMENTS_PER_COMMAND} elements: the BPMN model loops without waiting.`,
    );
  }
  if (meter.steps > MAX_FEEL_STEPS_PER_COMMAND || writtenCharacters > MAX_WRITTEN_CHARACTERS) {
    throw new StepFailure(
      'work_limit_exceeded',
      'The expressions of one command required too much work or created too much data. Add a wait or a job between the elements.',
    );
  }
}
