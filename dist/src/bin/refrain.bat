@echo off
rem Runs the command line of this installation with the Java 21 or later of REFRAIN_JAVA_HOME, JAVA_HOME or the PATH.
setlocal
set "java=java"
if defined JAVA_HOME set "java=%JAVA_HOME%\bin\java"
if defined REFRAIN_JAVA_HOME set "java=%REFRAIN_JAVA_HOME%\bin\java"
"%java%" --enable-native-access=ALL-UNNAMED -XX:+ExitOnOutOfMemoryError %REFRAIN_JAVA_OPTS% -cp "%~dp0..\lib\*" dev.refrain.cli.RefrainCommand %*
exit /b %ERRORLEVEL%
