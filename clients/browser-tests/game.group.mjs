// Games on the page. The first ones count what the page loads, and the last one leaves hostile names in the lobby.
import './game-page.test.mjs';
import './board.test.mjs';
import './talk.test.mjs';
import './notifications.test.mjs';
import './reminders.test.mjs';
import './page.test.mjs';
import './house.test.mjs';
import './hostile.test.mjs';
