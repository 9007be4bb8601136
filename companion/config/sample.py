"""The configuration file with every setting at its default, commented out and explained: systemd/companion.toml."""

from companion.config import Config
from companion.config.lines import toml

HEAD = """# The Tabletop Companion's configuration. Every setting is optional; what stands here are the defaults.
# `companion check` names every mistake with its line. Restart the service after a change.
# The service sees nothing in /home: files that are named here lie best beside this one.
"""


def sample() -> str:
    """The file's text; with every comment sign before a setting removed it means the same."""
    config = Config()
    blocks = [HEAD]
    for name in type(config).model_fields:
        section = getattr(config, name)
        lines = [f"[{name}]"]
        for key, field in type(section).model_fields.items():
            value = getattr(section, key)
            if isinstance(value, dict):
                lines.append(f"#{key} = {{}}  # {field.description}")
            else:
                lines.append(f"#{key} = {toml(value)}  # {field.description}")
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


if __name__ == "__main__":
    print(sample(), end="")
