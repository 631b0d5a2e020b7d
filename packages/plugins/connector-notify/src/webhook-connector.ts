import { inject, injectable } from 'inversify';
import type { ConnectorCall, ConnectorContribution } from '@countersign/core/plugin';
import { z } from 'zod';
import { buildCloudEvent } from './envelope.js';
import { AcceptedOutput, endpointIdSchema } from './schemas.js';
import { Notifier } from './notifier.js';

const Input = z.strictObject({
  endpoint: endpointIdSchema('webhook'),
  type: z
    .string()
    .min(1)
    .max(200)
    .meta({ title: 'Event type', description: 'Type of the event, such as org.example.release.approved.' }),
  subject: z
    .string()
    .min(1)
    .max(1_000)
    .optional()
    .meta({ title: 'Subject', description: 'Subject of the event. By default the id of the run.' }),
  data: z.json().optional().meta({ title: 'Data', description: 'Data for the receiver, such as {version: version}.' }),
});

export type WebhookInput = z.output<typeof Input>;

/** Sends an event to an endpoint: a CloudEvent, signed according to Standard Webhooks. */
@injectable()
export class WebhookConnector implements ConnectorContribution<typeof Input, typeof AcceptedOutput> {
  readonly id = 'countersign.notify-webhook';
  readonly title = 'Notify: webhook';
  readonly description =
    'Sends a signed event to an endpoint, with retries for days until it is delivered. The step continues immediately.';
  readonly jobType = 'notify-webhook';
  readonly version = 1;
  readonly effect = 'write';
  readonly input = Input;
  readonly output = AcceptedOutput;
  readonly hostInputs = ['endpoint'] as const;

  constructor(@inject(Notifier) private readonly notifier: Notifier) {}

  hosts({ endpoint }: WebhookInput): readonly string[] {
    return this.notifier.hosts('webhook', endpoint);
  }

  call(input: WebhookInput, call: ConnectorCall): Promise<AcceptedOutput> {
    return this.notifier.accept('webhook', input.endpoint, call, (source, now) =>
      buildCloudEvent(input, call, source, now),
    );
  }
}
