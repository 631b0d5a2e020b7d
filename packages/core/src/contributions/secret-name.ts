import { z } from 'zod';

const NAME = /^[A-Za-z][\w-]{0,62}$/;

/** The schema of an input that names a secret of `Connectors:Secrets`. Models and data hold names, and never a secret. */
export const secretName = () =>
  z
    .string()
    .regex(
      NAME,
      'Write the name of a secret of Connectors:Secrets alone, such as GITHUB_TOKEN; never a secret itself, and nothing in {{ }}.',
    );
