"""The tools that models work with by function calling, on a draft of the project.

`toolbox` holds the set of one agent and answers its calls, `tool` what a tool is; the others are the tools by what they
are for.
"""
