import { Alert, Button, Group, Text } from '@mantine/core';
import { IconBeach } from '@tabler/icons-react';
import { useState } from 'react';
import { texts } from '../texts/index.js';
import { Until } from '../time/until.js';
import { useNow } from '../time/use-now.js';
import { toOneLine } from '../ui/to-one-line.js';
import { ProblemNotice } from '../ui/problem-notice.js';
import { useMyAbsence } from './use-my-absence.js';

const t = texts.absence;

/** Reminds absent users of their absence and of their substitute, with a button to end the absence. */
export function AbsenceBanner() {
  const { absence, end } = useMyAbsence();
  const now = useNow();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  if (absence === null || absence === undefined || Date.parse(absence.from) > now || Date.parse(absence.until) <= now)
    return null;
  const endAbsence = (): void => {
    setBusy(true);
    setError(undefined);
    end()
      .catch(setError)
      .finally(() => setBusy(false));
  };
  return (
    <Alert
      color="yellow"
      p="xs"
      mb="sm"
      icon={<IconBeach aria-hidden />}
      title={t.title}
      role="region"
      aria-label={t.title}
    >
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          {t.youAreAway} <Until at={absence.until} />.{' '}
          {absence.substitute === null ? t.nobody : t.inYourPlace(toOneLine(absence.substitute, 60))}
        </Text>
        <Button size="xs" variant="default" loading={busy} onClick={endAbsence}>
          {t.endNow}
        </Button>
      </Group>
      {error !== undefined && <ProblemNotice error={error} />}
    </Alert>
  );
}
