import type { Handlers } from '../app/route-context.js';
import { omitUndefined } from './runs.js';

export const signingKeyHandlers: Pick<
  Handlers,
  | 'getSigning'
  | 'listMySigningKeys'
  | 'registerSigningKey'
  | 'countersignMySigningKey'
  | 'revokeMySigningKey'
  | 'listSigningKeys'
  | 'approveSigningKey'
  | 'revokeSigningKey'
> = {
  getSigning: async ({ services }) => ({ body: await services.app.signingKeys.getSigningInfo() }),

  listMySigningKeys: async ({ services, request, caller }) => {
    const { limit, cursor } = request.query;
    return { body: await services.app.signingKeys.list(caller.actor.id, { limit, ...omitUndefined({ cursor }) }) };
  },

  registerSigningKey: async ({ services, request, caller }) => {
    const key = await services.app.signingKeys.register(request.body, caller);
    services.metrics.recordCommand('registerSigningKey');
    return { status: 201, body: key };
  },

  countersignMySigningKey: async ({ services, request, caller }) => {
    const key = await services.app.enrolSigningKeys.countersign(
      request.params.keyId,
      request.body.countersignature,
      caller,
    );
    services.metrics.recordCommand('countersignMySigningKey');
    return { body: key };
  },

  revokeMySigningKey: async ({ services, request, caller }) => {
    const key = await services.app.signingKeys.revoke(request.params.keyId, caller);
    services.metrics.recordCommand('revokeMySigningKey');
    return { body: key };
  },

  listSigningKeys: async ({ services, request }) => {
    const { subject, limit, cursor } = request.query;
    return { body: await services.app.signingKeys.list(subject, { limit, ...omitUndefined({ cursor }) }) };
  },

  approveSigningKey: async ({ services, request, caller }) => {
    const key = await services.app.enrolSigningKeys.approve(request.params.keyId, caller);
    services.metrics.recordCommand('approveSigningKey');
    return { body: key };
  },

  revokeSigningKey: async ({ services, request, caller }) => {
    const key = await services.app.signingKeys.revoke(request.params.keyId, caller, true);
    services.metrics.recordCommand('revokeSigningKey');
    return { body: key };
  },
};
