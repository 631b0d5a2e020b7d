import {
  type Json,
  type JsonObject,
  type ToolCall,
  type ToolContribution,
  ToolError,
  type ToolOutput,
} from '@countersign/core/plugin';
import { injectable } from 'inversify';
import { z } from 'zod';

/** Maximum size of the result as JSON, in characters. */
const MAX_CHARACTERS = 262_144;

const Input = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'Name of one variable. Without it, all variables are returned.' }),
});
const Output = z.object({ variables: z.record(z.string(), z.unknown()) });
type Input = z.output<typeof Input>;

/** Returns the variables of the run that the step can see, with their taint. */
@injectable()
export class RunInputsTool implements ToolContribution<typeof Input, typeof Output> {
  readonly name = 'run.inputs';
  readonly description = 'Returns the variables of this run that this step can see: all of them, or one by name.';
  readonly input = Input;
  readonly output = Output;
  readonly effect = 'read';
  readonly reversible = true;
  readonly unknownOutcome = 'repeat';

  async call(
    { name }: Input,
    { variables, inputs, taints }: ToolCall,
  ): Promise<ToolOutput<{ variables: Record<string, Json> }>> {
    const visibleVariables: JsonObject = { ...variables, ...inputs };
    const names = name === undefined ? Object.keys(visibleVariables) : [name];
    if (name !== undefined && !Object.hasOwn(visibleVariables, name))
      throw new ToolError(
        'variable_not_found',
        'There is no variable with this name. Call run.inputs without a name for all variables.',
      );
    const content = { variables: Object.fromEntries(names.map((each) => [each, visibleVariables[each] ?? null])) };
    if (JSON.stringify(content).length > MAX_CHARACTERS) {
      throw new ToolError(
        'variables_too_large',
        name === undefined
          ? `The variables are too large to return together. Request one by its name: ${names.join(', ').slice(0, 2_000)}.`
          : 'This variable is too large to return.',
      );
    }
    const taint = new Set(names.flatMap((each) => (Object.hasOwn(taints, each) ? (taints[each] ?? []) : [])));
    return { content, taint: [...taint].sort() };
  }
}
