import { defineRoute } from '../define-route.js';
import {
  listMySigningKeysQuerySchema,
  listSigningKeysQuerySchema,
  registerSigningKeyBodySchema,
  signingKeyListSchema,
  signingKeySchema,
  signingSchema,
} from '../schemas/signing-key.js';
import { signingKeyParams } from './params.js';
import { json } from './respond.js';

const one = { tag: 'signing', params: signingKeyParams, notFound: 'signing_key_not_found' } as const;

export const signingKeyRoutes = {
  getSigning: defineRoute({
    operationId: 'getSigning',
    method: 'get',
    path: '/api/signing',
    tag: 'signing',
    summary: 'What to sign for this server',
    role: 'viewer',
    responses: { 200: json(signingSchema, 'The id of the server, and its time.') },
    errors: [],
  }),
  listMySigningKeys: defineRoute({
    operationId: 'listMySigningKeys',
    method: 'get',
    path: '/api/me/signing-keys',
    tag: 'signing',
    summary: 'List your signing keys',
    description: 'Newest first, revoked ones too.',
    role: 'approver',
    query: listMySigningKeysQuerySchema,
    responses: { 200: json(signingKeyListSchema, 'A page of keys.') },
    errors: [],
  }),
  registerSigningKey: defineRoute({
    operationId: 'registerSigningKey',
    method: 'post',
    path: '/api/me/signing-keys',
    tag: 'signing',
    summary: 'Register a signing key',
    description:
      'Takes the public half of an Ed25519 key as yours. `proof` shows that you have the private half, which never leaves the device. A key that is registered as yours already is answered as it is.',
    role: 'approver',
    body: registerSigningKeyBodySchema,
    responses: { 201: json(signingKeySchema, 'The key.') },
    errors: [
      'service_cannot_decide',
      'signature_invalid',
      'signature_expired',
      'signing_key_revoked',
      'signing_key_taken',
      'too_many_signing_keys',
    ],
  }),
  revokeMySigningKey: defineRoute({
    ...one,
    operationId: 'revokeMySigningKey',
    method: 'delete',
    path: '/api/me/signing-keys/{keyId}',
    summary: 'Revoke a signing key of yours',
    description:
      'From the answer on no vote counts that it signs, for ever; those that count already still do. It stays on record, as evidence needs it.',
    role: 'approver',
    responses: { 200: json(signingKeySchema, 'The key, revoked.') },
    errors: [],
  }),
  listSigningKeys: defineRoute({
    operationId: 'listSigningKeys',
    method: 'get',
    path: '/api/signing-keys',
    tag: 'signing',
    summary: 'List the signing keys of somebody',
    description: 'Newest first, revoked ones too.',
    role: 'admin',
    query: listSigningKeysQuerySchema,
    responses: { 200: json(signingKeyListSchema, 'A page of keys.') },
    errors: [],
  }),
  revokeSigningKey: defineRoute({
    ...one,
    operationId: 'revokeSigningKey',
    method: 'delete',
    path: '/api/signing-keys/{keyId}',
    summary: 'Revoke anybody’s signing key',
    description: 'For a device that is lost, or somebody who has left. As when its owner revokes it.',
    role: 'admin',
    responses: { 200: json(signingKeySchema, 'The key, revoked.') },
    errors: [],
  }),
};
