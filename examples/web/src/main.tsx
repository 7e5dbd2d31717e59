import { render } from "preact";
import "./styles/theme.css";
import "./styles/page.css";
import "./styles/tables.css";
import "./styles/detail.css";
import "./styles/narrow.css";
import { App } from "./view/app";

render(<App />, document.getElementById("app") as HTMLElement);
