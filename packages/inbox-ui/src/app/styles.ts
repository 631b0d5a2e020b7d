/* Styles of Mantine and of the application. Later styles take precedence. */
import '@fontsource-variable/inter/wght.css';
import 'virtual:mantine-styles';
import '@mantine/notifications/styles.css';
import './app.css';
