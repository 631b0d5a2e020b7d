import { z } from 'zod';

const SECRET_NAME = /^[A-Za-z][\w-]{0,62}$/;

/**
 * Returns the schema of an input that names a secret of `Connectors:Secrets`. BPMN models and data contain names of
 * secrets, never the secrets themselves.
 */
export const secretName = () =>
  z
    .string()
    .regex(
      SECRET_NAME,
      'Give only the name of a secret of Connectors:Secrets, such as GITHUB_TOKEN, never the secret itself, and without {{ }}.',
    );
