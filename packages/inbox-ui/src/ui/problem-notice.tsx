import { Alert, Button, Code, List, Stack, Text } from '@mantine/core';
import { ProblemError } from '@countersign/contract';
import { texts } from '../texts/index.js';
import { toUserMessage, isUnexpectedError } from './to-user-message.js';

interface ProblemNoticeProps {
  readonly error: unknown;
  onRetry?(): void;
}

/** Displays an error. For an error from the server, includes the code and the trace id to quote when reporting it. */
export function ProblemNotice({ error, onRetry }: ProblemNoticeProps) {
  const problem = error instanceof ProblemError ? error.problem : undefined;
  return (
    <Alert color="red" role="alert" title={problem?.title ?? texts.problems.title} m="xs">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{toUserMessage(error)}</Text>
        {problem !== undefined && problem.errors.length > 0 && (
          <List size="sm">
            {problem.errors.slice(0, 20).map(({ pointer, message }, index) => (
              <List.Item key={index}>
                {pointer !== '' && <Code>{pointer}</Code>} {message}
              </List.Item>
            ))}
          </List>
        )}
        {problem !== undefined && (
          <Text size="xs" c="dimmed">
            {problem.code} · {texts.problems.trace} <Code>{problem.traceId}</Code>
          </Text>
        )}
        {isUnexpectedError(error) && (
          <Code fz="xs" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
            {String(error)}
          </Code>
        )}
        {onRetry !== undefined && (
          <Button size="xs" variant="light" color="red" onClick={onRetry}>
            {texts.problems.retry}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
