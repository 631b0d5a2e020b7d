import { inject, injectable } from 'inversify';
import type { ConnectorCall, ConnectorContribution } from '@countersign/core/plugin';
import { z } from 'zod';
import { buildSlackMessage } from './envelope.js';
import { AcceptedOutput, endpointIdSchema } from './schemas.js';
import { Notifier } from './notifier.js';

const Input = z.strictObject({
  endpoint: endpointIdSchema('slack'),
  text: z.string().min(1).max(40_000).meta({ title: 'Text', multiline: true }),
  markup: z.boolean().default(false).meta({
    title: 'Text is markup',
    description:
      'Whether < > and & in the text are Slack markup. Only for text without data from others, because markup can notify everyone.',
  }),
  blocks: z
    .array(z.record(z.string(), z.json()))
    .max(50)
    .optional()
    .meta({ title: 'Blocks', description: 'Slack Block Kit, as a list. The text is then used for notifications.' }),
});

export type SlackInput = z.output<typeof Input>;

/** Sends a message to a channel through an incoming webhook of Slack or of a compatible service. */
@injectable()
export class SlackConnector implements ConnectorContribution<typeof Input, typeof AcceptedOutput> {
  readonly id = 'countersign.notify-slack';
  readonly title = 'Notify: Slack';
  readonly description =
    'Sends a message to a channel, with retries for days until it is delivered. The step continues immediately.';
  readonly jobType = 'notify-slack';
  readonly version = 1;
  readonly effect = 'write';
  readonly input = Input;
  readonly output = AcceptedOutput;
  readonly hostInputs = ['endpoint'] as const;

  constructor(@inject(Notifier) private readonly notifier: Notifier) {}

  hosts({ endpoint }: SlackInput): readonly string[] {
    return this.notifier.hosts('slack', endpoint);
  }

  call(input: SlackInput, call: ConnectorCall): Promise<AcceptedOutput> {
    return this.notifier.accept('slack', input.endpoint, call, () => buildSlackMessage(input));
  }
}
