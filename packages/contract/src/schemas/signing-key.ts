import { z } from 'zod';
import { idSchema, principalSchema, timestampSchema } from './common.js';
import { listOf } from './list.js';
import { pageQueryShape } from './query.js';

/** A compact JWS. */
export const signedStatementSchema = z
  .string()
  .min(1)
  .max(20_000)
  .regex(
    /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/,
    'Must be a JWS in its compact form: three parts of base64url with dots between.',
  );

export const keyIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/)
  .meta({
    id: 'SigningKeyId',
    description: 'The thumbprint of the key (RFC 7638): SHA-256, base64url.',
    example: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  });

/** Strict: a key that includes the private member `d` is refused with an error, and not stored. */
export const ed25519PublicKeySchema = z
  .strictObject({
    kty: z.literal('OKP'),
    crv: z.literal('Ed25519'),
    x: z
      .string()
      .regex(/^[A-Za-z0-9_-]{43}$/)
      .meta({ description: 'The 32 bytes, base64url without padding.' }),
  })
  .meta({ id: 'Ed25519PublicKey', description: 'A JSON Web Key (RFC 8037).' });

const enrolmentSchema = z
  .object({
    method: z.enum(['sign_in', 'countersignature', 'admin', 'unproven']).meta({
      description:
        'What proved that the key is its owner’s: a fresh sign-in, another enrolled key of theirs, an admin who is another person. `unproven`: registered before proof was required.',
    }),
    by: z
      .string()
      .nullable()
      .meta({ description: 'Id of the admin, or of the key that countersigned; `null` otherwise.' }),
    at: timestampSchema,
  })
  .meta({ id: 'SigningKeyEnrolment' });

const shape = {
  keyId: keyIdSchema,
  subject: principalSchema.meta({ description: 'Whose key it is.' }),
  name: z.string().meta({ description: 'Of the device, as its owner has called it.' }),
  publicKey: ed25519PublicKeySchema,
  createdAt: timestampSchema,
  enrolment: enrolmentSchema.nullable().meta({
    description: 'Since when the key counts, and by what proof. `null`: not yet, so no vote counts that it signs.',
  }),
  lastUsedAt: timestampSchema.nullable().meta({ description: 'When a vote that it signed was counted last.' }),
  revokedAt: timestampSchema.nullable().meta({ description: 'From then on no vote counts that it signs.' }),
  revokedBy: principalSchema.nullable(),
};

export const signingKeySchema = z
  .object(shape)
  .meta({ id: 'SigningKey', description: 'The public half of a key that an approver signs votes with.' });
export const signingKeyListSchema = listOf(signingKeySchema, 'SigningKeyList');

const { revokedBy: _unproven, enrolment: _unprovenToo, ...evidenceShape } = shape;

export const evidenceSigningKeySchema = z
  .object({
    ...evidenceShape,
    proof: signedStatementSchema.meta({
      description:
        'The statement {server, subject, keyId, at} with which the key was registered, signed by the key itself.',
    }),
    countersignature: signedStatementSchema.nullable().optional().meta({
      description:
        'The statement {server, subject, enrolledKeyId, keyId, at} by which another key enrolled this one; `null` where none did. Packs from before have none.',
    }),
  })
  .meta({ id: 'EvidenceSigningKey' });

export const registerSigningKeyBodySchema = z
  .strictObject({
    publicKey: ed25519PublicKeySchema,
    name: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .meta({ description: 'Tells this key from your others; best the name of the device.', example: 'Laptop' }),
    proof: signedStatementSchema.meta({
      description:
        'A compact JWS by the key itself, `typ` `countersign-signing-key+jws`, over the RFC 8785 form of {server, subject, keyId, at}.',
    }),
  })
  .meta({ id: 'RegisterSigningKey' });

export const countersignSigningKeyBodySchema = z
  .strictObject({
    countersignature: signedStatementSchema.meta({
      description:
        'A compact JWS by a key of yours that is enrolled, `typ` `countersign-signing-key-countersignature+jws`, over the RFC 8785 form of {server, subject, enrolledKeyId, keyId, at}.',
    }),
  })
  .meta({ id: 'CountersignSigningKey' });

export const listMySigningKeysQuerySchema = z.strictObject(pageQueryShape);
export const listSigningKeysQuerySchema = z.strictObject({
  ...pageQueryShape,
  subject: principalSchema.meta({ description: 'Whose keys.' }),
});

export const signingSchema = z
  .object({
    serverId: idSchema.meta({
      description:
        'Goes into every statement as `server`. It stands in the database: servers that share it have one id, and it stays when the address changes.',
    }),
    now: timestampSchema.meta({ description: 'The time here. A device whose clock is wrong can add the difference.' }),
    windowSeconds: z
      .int()
      .meta({ description: 'How far `at` of a statement may lie from the time here, in seconds.', example: 600 }),
    signIn: z
      .object({
        maxAgeSeconds: z.int().meta({
          description:
            'How long ago the sign-in may have been (`auth_time` of the token), in seconds. `0`: no sign-in enrols a key.',
          example: 600,
        }),
        acrValues: z
          .array(z.string())
          .meta({ description: 'What `acr` of the token may be; empty: it does not matter.' }),
      })
      .meta({
        description:
          'The sign-in that enrols a key when it is registered. Ask the issuer for it with `max_age` and `acr_values` (OpenID Connect Core, 3.1.2.1).',
      }),
  })
  .meta({ id: 'Signing', description: 'What is needed to sign votes for this server.' });

export type SigningKey = z.infer<typeof signingKeySchema>;
export type EvidenceSigningKey = z.infer<typeof evidenceSigningKeySchema>;
export type Signing = z.infer<typeof signingSchema>;
