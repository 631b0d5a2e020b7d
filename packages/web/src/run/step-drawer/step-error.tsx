import { escapeInvisible } from '@countersign/inbox-ui/ui/escape-invisible';
import { Alert, Code, Text } from '@mantine/core';
import type { Step } from '@countersign/contract';
import { IconAlertTriangle } from '@tabler/icons-react';
import { texts } from '../../texts/index.js';

const t = texts.step;

interface StepErrorProps {
  readonly error: NonNullable<Step['error']>;
  /** Whether another attempt is running or scheduled. */
  readonly willRetry: boolean;
}

/** Shows an error of a step and how to fix it. */
export function StepError({ error: { code, message, retryable }, willRetry }: StepErrorProps) {
  return (
    <Alert color={willRetry ? 'yellow' : 'red'} icon={<IconAlertTriangle size={18} aria-hidden />} title={t.error}>
      <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        <Code>{escapeInvisible(code)}</Code> {message === '' ? t.errorErased : escapeInvisible(message)}
      </Text>
      <Text size="sm" mt={6} fw={500}>
        {willRetry ? t.willRetry : retryable ? t.retryable : t.notRetryable}
      </Text>
    </Alert>
  );
}
