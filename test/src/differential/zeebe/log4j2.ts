/** What a record begins with in the output of the broker; the exporter also tells that it was opened. */
export const RECORD_PREFIX = 'RECORD {';

/** Records of the log as they are, one a line, and beside them only what goes wrong. */
export const LOG4J2 = `<?xml version="1.0" encoding="UTF-8"?>
<Configuration status="ERROR" shutdownHook="disable">
  <Appenders>
    <Console name="Records" target="SYSTEM_OUT"><PatternLayout pattern="RECORD %m%n" /></Console>
    <Console name="Problems" target="SYSTEM_ERR"><PatternLayout pattern="%-5p %c{1} %m%n%throwable" /></Console>
  </Appenders>
  <Loggers>
    <Logger name="io.camunda.zeebe.broker.exporter" level="info" additivity="false"><AppenderRef ref="Records" /></Logger>
    <Root level="error"><AppenderRef ref="Problems" /></Root>
  </Loggers>
</Configuration>
`;
