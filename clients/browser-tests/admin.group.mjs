// The admin page. The first one begins with the relay's first link.
import './admin.test.mjs';
import './admin-settings.test.mjs';
import './admin-hostile.test.mjs';
