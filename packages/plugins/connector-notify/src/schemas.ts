import { z } from 'zod';

export const endpointIdSchema = (kind: string) =>
  z
    .string()
    .min(1)
    .meta({
      title: 'Endpoint',
      description: `Id of an endpoint of the kind "${kind}" in Connectors:Notify:Endpoints.`,
    });

/** Output of a step that sends a notification: the notification was accepted and will be delivered under this id. */
export const AcceptedOutput = z.object({ deliveryId: z.string(), endpoint: z.string() });

export type AcceptedOutput = z.output<typeof AcceptedOutput>;
