import { ConnectorContribution, definePlugin } from '@countersign/core/plugin';
import { injectable } from 'inversify';
import { z } from 'zod';

const Input = z.strictObject({ name: z.string() });
const Output = z.object({ greeting: z.string() });

/** Third-party connector. */
@injectable()
class Greeting implements ConnectorContribution<typeof Input, typeof Output> {
  readonly id = 'test.greeting';
  readonly title = 'Greeting';
  readonly description = 'Greets.';
  readonly jobType = 'greeting';
  readonly version = 2;
  readonly effect = 'read';
  readonly input = Input;
  readonly output = Output;

  async call({ name }: z.output<typeof Input>): Promise<z.input<typeof Output>> {
    return { greeting: `Hello ${name}` };
  }
}

/** Plugin that the `countersign` command loads by the path of this file. */
export const greetingPlugin = definePlugin({
  id: 'test',
  register({ contribute }) {
    contribute(ConnectorContribution, Greeting);
  },
});

export { greetingPlugin as plugin };
